import { isOpenPairing } from "../../gateway/pairing.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Pairing, pairingTable } from "../../schema/rows/channel-rows.ts";
import type { ShownPairing } from "../../schema/shown/shown-channels.ts";
import { iso, isoOrNull } from "./shown.ts";

/** Who asks to be let in, and who was. */

export type PairingFilter = {
  readonly connector?: string | undefined;
  readonly now: number;
  readonly limit: number;
};

/** Open requests first, oldest first; then those who were let in. */
export async function listPairings(
  read: CommittedReader,
  { connector, now, limit }: PairingFilter,
): Promise<ShownPairing[]> {
  const rows = await read.select(pairingTable, { index: "by_created" });
  const wanted = rows.filter(({ connector_id }) => (connector ?? connector_id) === connector_id);
  const open = wanted.filter((row) => isOpenPairing(row, now));
  const letIn = wanted.filter(({ state }) => state === "approved");
  return [...open, ...letIn].slice(0, limit).map(showPairing);
}

export async function countOpenPairings(read: CommittedReader, now: number): Promise<number> {
  const rows = await read.select(pairingTable, { index: "by_created" });
  return rows.filter((row) => isOpenPairing(row, now)).length;
}

export function showPairing(row: Pairing): ShownPairing {
  const isOpen = row.state === "open";
  const { connector_id, user_scope, name, state, code, decided_by } = row;
  return {
    connector_id,
    user_scope,
    name,
    state,
    code: isOpen ? code : null,
    created_at: iso(row.created_at),
    expires_at: isOpen ? iso(row.expires_at) : null,
    decided_at: isoOrNull(row.decided_at),
    decided_by,
  };
}
