import { idIn } from "../../actors/address.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JournalRow } from "../../engine/tables.ts";
import type { RunInput } from "../../machines/run/run-events.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { JsonObject } from "../../schema/json.ts";
import { addUsage, noUsage } from "../../schema/llm.ts";
import type { ChatEvent } from "../../schema/socket/protocol.ts";
import { approvalTable } from "../../schema/rows/permission-rows.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";
import { messageTable } from "../../schema/rows/session-rows.ts";
import { positionOf } from "../../schema/position.ts";
import { showApproval } from "../../text/shown-approval.ts";
import { endedIn } from "../records/ended-in.ts";
import { usageOfRun } from "../records/usage-of.ts";
import type { News } from "../news/news.ts";

/** News of what actors do and say. */
export type FromActors = Extract<News, { readonly address: string }>;

/** What news mean for a chat; most only matter inside, and tell nothing. */
export async function chatEventOf(
  engine: Engine,
  news: FromActors,
): Promise<ChatEvent | undefined> {
  switch (news.type) {
    case "text.delta":
      return { type: "text.delta", text: news.text };
    case "text.reset":
    case "history.shortened":
      return { type: news.type };
    case "model.retrying":
      return { type: "model.retrying", code: news.code, wait_ms: news.wait_ms };
    case "actor.stepped":
      return ofStep(engine, news.step);
  }
}

function ofStep(
  engine: Engine,
  step: JournalRow,
): ChatEvent | undefined | Promise<ChatEvent | undefined> {
  switch (step.machine) {
    case "run":
      return ofRun(engine, step);
    case "tool_call":
      return ofCall(engine, step);
    case "approval":
      return ofApproval(engine, step);
    case "session":
      return ofFailedRun(engine, step);
    default:
      return undefined;
  }
}

async function ofRun(engine: Engine, step: JournalRow): Promise<ChatEvent | undefined> {
  if (step.event_type === "actor.created") {
    const { run_id, trace_id, session_id, agent_id } = step.event["input"] as RunInput;
    return { type: "run.started", run_id, trace_id, session_id, agent_id };
  }
  if (endedIn(step, "done", "failed", "cancelled") === undefined) return undefined;
  return finishedRun(engine, idIn(step.address));
}

async function finishedRun(engine: Engine, runId: string): Promise<ChatEvent | undefined> {
  const run = await engine.read.get(runTable, runId);
  return run === undefined ? undefined : runFinished(engine.read, run);
}

export async function runFinished(read: CommittedReader, run: Run): Promise<ChatEvent> {
  const { run_id, trace_id, session_id, agent_id, state, reply, error } = run;
  const usage = await usageOfRun(read, run_id, addUsage(noUsage, run.usage));
  return {
    type: "run.finished",
    run_id,
    trace_id,
    session_id,
    agent_id,
    status: state ?? "failed",
    reply,
    error,
    usage,
  };
}

type StartedCall = { readonly id: string; readonly name: string; readonly input: JsonObject };

async function ofCall(engine: Engine, step: JournalRow): Promise<ChatEvent | undefined> {
  if (step.event_type === "actor.created") {
    const { call } = step.event["input"] as { readonly call: StartedCall };
    return { type: "tool.started", call_id: call.id, tool: call.name, input: call.input };
  }
  const status = endedIn(step, "done", "denied", "failed", "cancelled");
  return status === undefined ? undefined : finishedCall(engine, step, status);
}

/** The step that ends a call writes its result under the step's own number. */
async function finishedCall(
  engine: Engine,
  step: JournalRow,
  status: string,
): Promise<ChatEvent | undefined> {
  const message = await engine.read.get(messageTable, positionOf(step.seq));
  const block = message?.content[0];
  if (block?.type !== "tool_result") return undefined;
  const actor = await engine.get(step.address);
  const tool = (actor?.context["call"] as StartedCall | undefined)?.name ?? "";
  const { tool_call_id, output, is_error } = block;
  return {
    type: "tool.finished",
    call_id: tool_call_id,
    tool,
    status,
    output,
    is_error,
  };
}

async function ofApproval(engine: Engine, step: JournalRow): Promise<ChatEvent | undefined> {
  const id = idIn(step.address);
  const opened = step.event_type === "actor.created";
  const ended = endedIn(step, "approved", "denied", "answered", "expired", "cancelled");
  if (!opened && ended === undefined) return undefined;
  const approval = await engine.read.get(approvalTable, id);
  if (approval === undefined) return undefined;
  if (opened) return { type: "approval.opened", approval: showApproval(approval) };
  const { state, decided_by } = approval;
  return { type: "approval.decided", id, state, decided_by: decided_by ?? "" };
}

/** A run that was set aside is told by its session. */
function ofFailedRun(engine: Engine, { event, event_type }: JournalRow) {
  if (event_type !== "actor.failed") return undefined;
  return finishedRun(engine, idIn(event["address"] as string));
}
