import type { SessionContext } from "../schema/contexts.ts";
import type { EventOf } from "../schema/events.ts";

export type SessionInput = Pick<SessionContext, "key" | "agent_id" | "queue_cap" | "ttl_ms">;

export type SessionEvent =
  | EventOf<"message.received">
  | EventOf<"inbox.taken">
  | EventOf<"inbox.joined">
  | EventOf<"message.steered">
  | EventOf<"run.finished">
  | EventOf<"session.cancel">
  | EventOf<"grant.given">
  | EventOf<"grant.expired">
  | EventOf<"grant.revoke">
  | EventOf<"grant.found">
  | EventOf<"actor.failed">;
