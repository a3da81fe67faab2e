import { idIn } from "../../actors/address.ts";
import { placeIn } from "../../actors/session-key.ts";
import type { ActorRow, JournalRow } from "../../engine/tables.ts";
import type { ApprovalContext } from "../../schema/contexts/approval-context.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { EventOf } from "../../schema/events/events.ts";
import { noUsage } from "../../schema/llm.ts";
import type { SidecarEvent } from "../../schema/shown/news.ts";
import { iso } from "../records/shown.ts";
import { endedIn } from "../records/ended-in.ts";
import { memoryEventOf } from "./memory-event.ts";
import { lineageOf, stepIds } from "./whereabouts.ts";

/** What a committed step means to those beside the main path; most steps mean nothing. */
export function sidecarEventsOf(step: JournalRow, actor: ActorRow | undefined): SidecarEvent[] {
  const found = [memoryEventOf(step, actor), conversationEventOf(step, actor)];
  return found.filter((event) => event !== undefined);
}

function conversationEventOf(
  step: JournalRow,
  actor: ActorRow | undefined,
): SidecarEvent | undefined {
  if (step.outcome !== "handled" || actor === undefined) return undefined;
  switch (step.machine) {
    case "session":
      return ofSession(step, actor.snapshot.context as SessionContext);
    case "run":
      return ofRun(step, actor);
    case "tool_call":
      return ofToolCall(step, actor.snapshot.context as ToolCallContext);
    case "approval":
      return ofApproval(step, actor.snapshot.context as ApprovalContext);
    default:
      return undefined;
  }
}

function ofSession(step: JournalRow, context: SessionContext): SidecarEvent | undefined {
  const { key, agent_id, session_id } = context;
  const known = { ...placeIn(key), agent_id, session_id, ...stepIds(step) };
  if (step.event_type === "message.received") {
    const queued = /^(?:running|compacting)/.test(step.state_before ?? "");
    const run_id = queued ? null : (context.run?.id ?? null);
    return { type: "MessageAccepted", ...known, task_id: taskOf(run_id), run_id, queued };
  }
  if (step.event_type !== "actor.failed") return undefined;
  const { address, error } = step.event as unknown as EventOf<"actor.failed">;
  const run_id = idIn(address);
  const ids = { ...known, task_id: taskOf(run_id), run_id };
  const data = error as NonNullable<Extract<SidecarEvent, { type: "TaskFailed" }>["error"]>;
  return {
    type: "TaskFailed",
    ...ids,
    status: "failed",
    error: data,
    duration_ms: 0,
    usage: noUsage,
  };
}

function ofRun(step: JournalRow, actor: ActorRow): SidecarEvent | undefined {
  const state = endedIn(step, "done", "failed", "cancelled");
  if (state === undefined) return undefined;
  const context = actor.snapshot.context as RunContext;
  const known = { ...lineageOf(step, context), duration_ms: step.at - actor.created_at };
  const { usage, error } = context;
  if (state === "done") return { type: "ReplyReady", ...known, usage };
  return { type: "TaskFailed", ...known, status: state, error, usage };
}

const beganToExecute: readonly (string | null)[] = ["executing", "cancelling", "outcome_unknown"];

function ofToolCall(step: JournalRow, context: ToolCallContext): SidecarEvent | undefined {
  const status = endedIn(step, "done", "failed", "cancelled");
  if (status === undefined || !beganToExecute.includes(step.state_before)) return undefined;
  const { call, started_at } = context;
  return {
    type: "ToolExecuted",
    ...lineageOf(step, context),
    tool_call_id: call.id,
    tool: call.name,
    status,
    duration_ms: step.at - started_at,
  };
}

function ofApproval(step: JournalRow, context: ApprovalContext): SidecarEvent | undefined {
  if (step.event_type !== "actor.created") return undefined;
  const { approval_id, kind, tool, summary, risk, created_at, timeout_ms } = context;
  return {
    type: "NeedHumanApproval",
    ...lineageOf(step, context),
    approval_id,
    kind,
    tool,
    summary,
    risk,
    expires_at: iso(created_at + timeout_ms),
  };
}

/** A run's task is named after it. */
function taskOf(runId: string | null): string | null {
  return runId === null ? null : `t${runId.slice(1)}`;
}
