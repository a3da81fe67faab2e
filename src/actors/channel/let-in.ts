import { actorTable } from "../../engine/tables.ts";
import type { RowReader } from "../../ports/store.ts";
import { pairingTable } from "../../schema/channel-rows.ts";
import { keyIn, placeIn, type SessionPlace } from "../session-key.ts";
import type { Channels } from "./channels.ts";

/** Who may write still, and what is left of those who may not. */

type Person = Pick<SessionPlace, "connector_id" | "user_scope">;

/** Of a connector that is configured no more nothing is known: who was let in before is in. */
export function isLetIn(
  read: RowReader,
  channels: Pick<Channels, "settings">,
  person: Person,
): boolean {
  const { connector_id, user_scope } = person;
  const doorway = channels.settings(connector_id)?.doorway;
  if (doorway === undefined || doorway.allow_users.includes(user_scope)) return true;
  return read.get(pairingTable, connector_id, user_scope)?.state === "approved";
}

/** The addresses of all conversations that a person has over a connector. */
export function sessionsOf(
  read: RowReader,
  { connector_id, user_scope }: Person,
): readonly string[] {
  const open = { index: "by_version", equals: ["active"], from: "session", upTo: "session" };
  return read
    .select(actorTable, open)
    .map(({ address }) => address)
    .filter((address) => {
      const place = placeIn(keyIn(address));
      return place.connector_id === connector_id && place.user_scope === user_scope;
    });
}
