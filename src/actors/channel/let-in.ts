import { actorTable } from "../../engine/tables.ts";
import type { RowReader } from "../../ports/store.ts";
import { pairingTable } from "../../schema/rows/channel-rows.ts";
import type { SessionPlace } from "../../schema/session-place.ts";
import { keyIn, placeIn } from "../session-key.ts";
import type { Channels } from "./channels.ts";

/** Who may write still, and what is left of those who may not. */

type Person = Pick<SessionPlace, "connector_id" | "user_scope">;

/** To the conversations of a person of whom that was so. */
export const letInNoMore = { type: "session.cancel", reason: "its person is let in no more" };

/** By the configuration. Of a connector that is configured no more nothing is known: who was let in before is in. */
export function isListed(
  channels: Pick<Channels, "settings">,
  { connector_id, user_scope }: Person,
): boolean {
  const doorway = channels.settings(connector_id)?.doorway;
  return doorway === undefined || doorway.allow_users.includes(user_scope);
}

/** By the configuration, or by a code. */
export function isLetIn(
  read: RowReader,
  channels: Pick<Channels, "settings">,
  person: Person,
): boolean {
  const { connector_id, user_scope } = person;
  if (isListed(channels, person)) return true;
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
