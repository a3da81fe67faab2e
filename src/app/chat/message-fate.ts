import { storedContext } from "../../engine/kernel/actor-state.ts";
import { type ActorRow, actorTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { ErrorData } from "../../schema/errors.ts";
import { freeUsage } from "../records/usage-of.ts";
import type { ChatEvent } from "../../schema/socket/protocol.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";
import { inboxTable, type JoinedMessage, joinedTable } from "../../schema/rows/session-rows.ts";

/** What became of a message that a session accepted, as the rows have it. */

export type AcceptedMessage = {
  readonly trace: string;
  /** The step that accepted it. */
  readonly seq: number;
  /** The session's address. */
  readonly session: string;
};

export type Fate =
  | { readonly kind: "run"; readonly run: Run }
  /** Another message's run answers it. */
  | { readonly kind: "joined"; readonly joined: JoinedMessage }
  | { readonly kind: "waiting" }
  /** It is on its way to a run that begins. */
  | { readonly kind: "taken" }
  /** Its session ended before it had its turn. */
  | { readonly kind: "dropped" };

export async function fateOf(read: CommittedReader, message: AcceptedMessage): Promise<Fate> {
  const { trace, seq } = message;
  const [run] = await read.select(runTable, { index: "by_trace", equals: [trace], limit: 1 });
  if (run !== undefined) return { kind: "run", run };
  const [joined] = await read.select(joinedTable, {
    index: "by_trace",
    equals: [trace],
    limit: 1,
  });
  if (joined !== undefined) return { kind: "joined", joined };
  if ((await read.get(inboxTable, seq)) !== undefined) return { kind: "waiting" };
  const session = await read.get(actorTable, message.session);
  return { kind: isOf(session, seq) ? "taken" : "dropped" };
}

/** The session that took the message lives still. */
function isOf(session: ActorRow | undefined, seq: number): boolean {
  if (session?.status !== "active") return false;
  const id = storedContext(session.snapshot)["session_id"];
  return typeof id === "string" && Number(id.slice(1)) < seq;
}

const closed: ErrorData = {
  code: "run.cancelled",
  message: "The session was closed before the message had its turn.",
  retryable: false,
};

export function droppedMessage(trace: string, agent_id: string): ChatEvent {
  return {
    type: "run.finished",
    run_id: "",
    trace_id: trace,
    session_id: "",
    agent_id,
    status: "cancelled",
    reply: null,
    error: closed,
    usage: freeUsage,
  };
}

export function joinedRun(message: JoinedMessage, agent_id: string): ChatEvent {
  const { trace_id, run_id, run_trace_id, session_id } = message;
  return {
    type: "message.joined",
    message_trace_id: trace_id,
    run_id,
    trace_id: run_trace_id,
    session_id,
    agent_id,
  };
}
