import type { Lookup } from "../../engine/engine.ts";
import { isOpenPairing } from "../../gateway/pairing.ts";
import type { RowReader } from "../../ports/store.ts";
import { type Pairing, pairingTable } from "../../schema/channel-rows.ts";
import type { EventData } from "../../schema/event.ts";

/** The request that the owner means: by its code, which must be open still, or by its person, who was let in. */
export const findPairing: Lookup = (read, { connector_id, code, user_scope, by }, { at }) => {
  const connectorId = connector_id as string;
  const pairing =
    code === undefined
      ? approvedOf(read, connectorId, user_scope as string)
      : openWith(read, { connectorId, code: code as string, at });
  if (pairing === undefined) return [];
  const state = code === undefined ? "revoked" : "approved";
  return [{ to: "self", event: { type: "pairing.found", pairing, state, by } as EventData }];
};

function approvedOf(read: RowReader, connectorId: string, user: string): Pairing | undefined {
  const pairing = read.get(pairingTable, connectorId, user);
  return pairing?.state === "approved" ? pairing : undefined;
}

type Wanted = { readonly connectorId: string; readonly code: string; readonly at: number };

function openWith(read: RowReader, { connectorId, code, at }: Wanted): Pairing | undefined {
  return read
    .select(pairingTable, { index: "by_code", equals: [code] })
    .find((pairing) => pairing.connector_id === connectorId && isOpenPairing(pairing, at));
}
