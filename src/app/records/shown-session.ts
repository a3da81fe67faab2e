import { placeIn } from "../../actors/session-key.ts";
import { actorTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { Session } from "../../schema/rows/session-rows.ts";
import type { ShownSession } from "../../schema/shown/shown.ts";
import { iso, isoOrNull } from "./shown.ts";

export async function showSession(read: CommittedReader, row: Session): Promise<ShownSession> {
  const { state, created_at, last_at, closed_at, ...rest } = row;
  const live =
    state === "closed" ? "closed" : ((await read.get(actorTable, row.address))?.state ?? "unknown");
  return {
    ...rest,
    label: labelOf(row.key),
    state: live,
    created_at: iso(created_at),
    last_at: iso(last_at),
    closed_at: isoOrNull(closed_at),
  };
}

/** The conversation's name at this machine; elsewhere its connector, its place there and, in a group, its user. */
function labelOf(key: string): string {
  const { channel_type, connector_id, conversation_scope, user_scope } = placeIn(key);
  if (channel_type === "local") return conversation_scope;
  const user = user_scope === conversation_scope ? [] : [user_scope];
  return [connector_id, conversation_scope, ...user].join(" ");
}
