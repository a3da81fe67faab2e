import type { SessionPlace } from "../schema/session-place.ts";

/** Where a session is held, as far as its address alone tells. */

/** At this machine's own surfaces, not over a channel. */
export function isLocalSession(sessionAddress: string): boolean {
  return sessionAddress.startsWith("session/local:");
}

/** The chat has the id of its person: nobody else reads along. */
export function isPrivate({
  conversation_scope,
  user_scope,
}: Pick<SessionPlace, "conversation_scope" | "user_scope">): boolean {
  const [chat] = conversation_scope.split("/");
  return chat === user_scope;
}
