import type { SummarizeHistoryOutput } from "../../schema/activities.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { Trust } from "../../schema/contexts/trust.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type SessionInput = Pick<SessionContext, "key" | "agent_id" | "queue_cap" | "ttl_ms"> & {
  /** What it knows from its beginning, where it goes on from another conversation. */
  readonly trust?: Trust;
};

export type SessionEvent =
  | EventOf<"message.received">
  | EventOf<"inbox.taken">
  | EventOf<"inbox.joined">
  | EventOf<"message.steered">
  | EventOf<"message.edited">
  | EventOf<"run.finished">
  | EventOf<"session.cancel">
  | EventOf<"grant.given">
  | EventOf<"grant.expired">
  | EventOf<"grant.revoke">
  | EventOf<"grant.found">
  | EventOf<"session.compact">
  | EventOf<"compaction.due">
  | EventOf<"actor.failed">;

export type SummarizeHistoryDone = {
  readonly type: "xstate.done.actor.summarizeHistory";
  readonly output: SummarizeHistoryOutput;
};

export type AnySessionEvent = SessionEvent | SummarizeHistoryDone;
