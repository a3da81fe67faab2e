import type { Lookup } from "../../engine/engine.ts";
import { isOpenPairing } from "../../gateway/pairing.ts";
import type { RowReader } from "../../ports/store.ts";
import { type Pairing, pairingTable } from "../../schema/rows/channel-rows.ts";
import type { SendParams } from "../../schema/effect.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { Channels } from "./channels.ts";
import { letInNoMore, sessionsOf } from "./let-in.ts";

/** The request that the owner means: by its code, which must be open still, or by its person, who was let in. Who is turned out leaves
 *  nothing behind that goes on. */
export function createFindPairing(channels: Pick<Channels, "settings">): Lookup {
  return (read, { connector_id, code, user_scope, by }, { at }) => {
    const connectorId = connector_id as string;
    const pairing =
      code === undefined
        ? approvedOf(read, connectorId, user_scope as string)
        : openWith(read, { connectorId, code: code as string, at });
    if (pairing === undefined) return [];
    const state = code === undefined ? "revoked" : "approved";
    const event = { type: "pairing.found", pairing, state, by } as EventData;
    const ended = code === undefined ? endingOf(read, channels, pairing) : [];
    return [{ to: "self", event }, ...ended];
  };
}

/** Whom the configuration lets in as well is not turned out by this. */
function endingOf(
  read: RowReader,
  channels: Pick<Channels, "settings">,
  { connector_id, user_scope }: Pairing,
): readonly SendParams[] {
  const doorway = channels.settings(connector_id)?.doorway;
  if (doorway?.allow_users.includes(user_scope) === true) return [];
  return sessionsOf(read, { connector_id, user_scope }).map((to) => ({ to, event: letInNoMore }));
}

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
