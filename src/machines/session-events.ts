import type { SessionContext } from "../schema/contexts.ts";
import type { EventOf } from "../schema/events.ts";

export type SessionInput = Pick<
  SessionContext,
  "key" | "agent_id" | "limits" | "boundary" | "queue_cap"
>;

export type SessionEvent =
  | EventOf<"message.received">
  | EventOf<"inbox.taken">
  | EventOf<"run.finished">
  | EventOf<"session.cancel">
  | EventOf<"actor.failed">;
