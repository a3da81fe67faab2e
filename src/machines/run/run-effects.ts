import { origin, ownOrigin, userOrigin } from "../../policy/origins.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { Delivered, EventMeta } from "../../schema/events/event.ts";
import { historyCutTable } from "../../schema/rows/model-rows.ts";
import { grantOwners, grantTable } from "../../schema/rows/permission-rows.ts";
import {
  agentConfigTable,
  runTable,
  type RunState,
  slotTable,
  type Step,
  stepTable,
  taskTable,
} from "../../schema/rows/run-rows.ts";
import {
  inboxTable,
  joinedTable,
  type Message,
  messageTable,
  type StoredBlock,
} from "../../schema/rows/session-rows.ts";
import { positionOf } from "../../schema/position.ts";
import {
  ask,
  askChannel,
  askSchedule,
  clearRows,
  type EffectAction,
  effects,
  patchRow,
  putRow,
  removeRow,
  sendTo,
  spawn,
  tell,
  toParent,
} from "../effect-actions.ts";
import type { AnyRunEvent, RunEvent, RunInput } from "./run-events.ts";
import { answerContent, joined, stoppedNote } from "./run-answer.ts";
import { failedCall, shorterHistory, toolCallsOf } from "./run-rules.ts";
import type { ToolCallInput } from "../tool-call/tool-call-events.ts";

type Event = Delivered<RunEvent>;

/** XState's first event carries the input. */
type Created = { readonly input: RunInput };

export const openRun = effects<RunContext, Event>(({ context, event }) => {
  const { text, boundary = [] } = (event as unknown as Created).input;
  const { $ } = event;
  const { run_id, task_id, session_id, agent_id, trace_id, usage } = context;
  return [
    putRow(taskTable, {
      task_id,
      session_id,
      agent_id,
      trace_id,
      text,
      boundary,
      state: "open",
      created_at: $.at,
      ended_at: null,
    }),
    putRow(runTable, {
      run_id,
      seq: $.seq,
      address: $.self,
      session_id,
      agent_id,
      task_id,
      trace_id,
      state: null,
      started_at: $.at,
      ended_at: null,
      usage,
      reply: null,
      error: null,
      config_hash: null,
      trust: null,
      forgotten_at: null,
    }),
    appendMessage({ context, meta: $ }, "user", [userText(context, text)]),
  ];
});

type Where = { readonly context: RunContext; readonly meta: EventMeta };

function appendMessage(
  { context, meta }: Where,
  role: Message["role"],
  content: readonly StoredBlock[],
): EffectAction {
  const { session_id, run_id } = context;
  return putRow(messageTable, {
    position: positionOf(meta.seq),
    session_id,
    run_id,
    role,
    content,
    at: meta.at,
  });
}

function userText({ session_address }: RunContext, text: string): StoredBlock {
  return { type: "text", text, origin: userOrigin(session_address) };
}

function ownText(text: string): StoredBlock {
  return { type: "text", text, origin: ownOrigin };
}

/** A run waits in line; whoever is first gets the slot that is free. */
export const claimSlot = effects<RunContext, Event>(({ event }) => [
  putRow(slotTable, { address: event.$.self, state: "waiting", seq: event.$.seq }),
  ask("grantSlots", {}),
]);

export const releaseSlot = effects<RunContext, Event>(({ event }) => [
  removeRow(slotTable, event.$.self),
  ask("grantSlots", {}),
]);

/** A run that people kept waiting goes on at once, even if that is one more than the service has slots. */
export const takeSlot = effects<RunContext, Event>(({ event }) => [
  putRow(slotTable, { address: event.$.self, state: "holding", seq: event.$.seq }),
]);

/** From here on the run works with the configuration that its agent has at this moment; the row's `config` is filled in as
 *  it is written. */
export const pinConfig = effects<RunContext, Event>(({ context, event }) => {
  if (event.type !== "slot.granted" || event.pin === null) return [];
  const { run_id, task_id, agent_id } = context;
  const { hash, is_new, boundary } = event.pin;
  const config = { hash, agent_id, config: null, first_used_at: event.$.at };
  return [
    ...(is_new ? [putRow(agentConfigTable, config)] : []),
    patchRow(runTable, [run_id], { config_hash: hash }),
    patchRow(taskTable, [task_id], { boundary }),
  ];
});

/** As many as were announced are handed over, in the transaction that asks the model: none is lost when the run ends before. */
export const takeSteered = effects<RunContext, Event>(({ context: { run_id, steered } }) =>
  steered === 0 ? [] : [ask("steeredMessages", { run_id, limit: steered })],
);

export const recordSteered = effects<RunContext, Event>(({ context, event }) => {
  if (event.type !== "inbox.handed") return [];
  const { run_id, trace_id, session_id } = context;
  const { seq, text, trace, $ } = event;
  return [
    removeRow(inboxTable, seq),
    appendMessage({ context, meta: $ }, "user", [userText(context, text)]),
    putRow(joinedTable, {
      seq,
      trace_id: trace,
      run_id,
      run_trace_id: trace_id,
      session_id,
      at: $.at,
    }),
    toParent({ type: "message.steered", seq }),
  ];
});

export const openStep = effects<RunContext, Event>(({ context, event }) => [
  putRow(stepTable, {
    step_id: stepId(context),
    run_id: context.run_id,
    number: context.round,
    action: null,
    started_at: event.$.at,
    ended_at: null,
  }),
]);

/** What people granted for the step ends with it. */
export const closeStep = effects<RunContext, Event>(({ context, event }) => {
  if (context.round === 0) return [];
  const step_id = stepId(context);
  return [
    patchRow(stepTable, [step_id], { action: actionOf(context), ended_at: event.$.at }),
    clearRows(grantTable, grantOwners({ ...context, step_id }).step),
  ];
});

/** What the round led to; null for one that was stopped before it led to anything. */
function actionOf({ calls, error, reply }: RunContext): Step["action"] {
  if (calls.length > 0) return "tool_call";
  if (error !== null) return "finish";
  return reply === null ? null : "respond";
}

export function stepId(context: RunContext): string {
  return `${context.run_id}.${context.round}`;
}

export const openCalls = effects<RunContext, Event>(({ context, event }) => {
  const said = event as Delivered<AnyRunEvent>;
  if (said.type !== "xstate.done.actor.callModel") return [];
  const { session_id, session_address, agent_id, task_id, run_id, trace_id } = context;
  return toolCallsOf(said.output).map(({ id, name, input }, index) => {
    const call: ToolCallInput = {
      session_id,
      session_address,
      agent_id,
      task_id,
      run_id,
      trace_id,
      step_id: stepId(context),
      trust: context.trust,
      call: { id, name, input },
      approval_timeout_ms: context.limits.approval_timeout_ms,
    };
    return spawn(`call/c${event.$.seq}-${index}`, "tool_call", call);
  });
});

export const cancelCalls = effects<RunContext, Event>(({ context }) =>
  context.calls
    .filter((call) => call.state !== "finished")
    .map((call) => sendTo(`./${call.child}`, { type: "call.cancel", reason: "the run ends" })),
);

/** A call that was set aside cannot answer the model itself. */
export const settleFailedCall = effects<RunContext, Event>(({ context, event }) => {
  const call = failedCall({ context, event });
  if (call === undefined || event.type !== "actor.failed") return [];
  const output = `internal: A fault inside statehive stopped this ${call.tool} call. Whether it took effect is not known.`;
  return [
    appendMessage({ context, meta: event.$ }, "tool", [
      { type: "tool_result", tool_call_id: call.id, output, is_error: true, origin: ownOrigin },
    ]),
    sendTo("self", { type: "call.changed", call_id: call.id, state: "finished" }),
  ];
});

/** The session begins later from now on, for this run and those that come. */
export const shortenHistory = effects<RunContext, Event>(({ context, event }) => {
  const shorter = shorterHistory({ context, event });
  if (shorter === undefined) return [];
  const { $ } = event;
  return [
    putRow(historyCutTable, {
      session_id: context.session_id,
      ...shorter,
      made_at_position: positionOf($.seq),
      summary: null,
      summary_until: 0,
    }),
    patchRow(stepTable, [stepId(context)], { action: "shorten", ended_at: $.at }),
    tell({ type: "history.shortened" }),
  ];
});

export const recordAnswer = effects<RunContext, Event>(({ context, event }) => {
  const said = event as Delivered<AnyRunEvent>;
  if (said.type !== "xstate.done.actor.callModel") return [];
  const content = answerContent(said.output).map((block) =>
    block.type === "text" ? { ...block, origin: origin("model", said.output.model) } : block,
  );
  return [appendMessage({ context, meta: event.$ }, "assistant", content)];
});

/** The person is told, and the history keeps its turns. */
export const recordFailure = effects<RunContext, Event>(({ context, event }) => [
  appendMessage({ context, meta: event.$ }, "assistant", [ownText(context.reply ?? "")]),
]);

/** Only a run that was asked to stop after its step has a word to say of it. */
export const recordStop = effects<RunContext, Event>(({ context, event }) =>
  context.is_stopping
    ? [appendMessage({ context, meta: event.$ }, "assistant", [ownText(stoppedNote)])]
    : [],
);

export const closeRun = effects<RunContext, Event, { state: RunState }>(
  ({ context, event }, { state }) => {
    const { run_id, task_id, trace_id, usage, trust, is_stopping, earlier_reply, error } = context;
    const ended_at = event.$.at;
    const last = state === "cancelled" && is_stopping ? stoppedNote : context.reply;
    return [
      patchRow(runTable, [run_id], {
        state,
        ended_at,
        usage,
        reply: joined(earlier_reply, last),
        error: state === "failed" ? error : null,
        trust,
      }),
      patchRow(taskTable, [task_id], { state, ended_at }),
      clearRows(grantTable, grantOwners({ ...context, step_id: "" }).task),
      removeRow(slotTable, event.$.self),
      ask("grantSlots", {}),
      ...askChannel(context.session_address, "tellReply", { run_id }),
      ...askSchedule(trace_id, { run_id, state }),
      toParent({ type: "run.finished", run_id, state, usage, trust }),
    ];
  },
);
