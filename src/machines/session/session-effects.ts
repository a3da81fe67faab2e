import { ownOrigin, userOrigin } from "../../policy/origins.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { Delivered, EventData } from "../../schema/events/event.ts";
import { grantOwners, grantTable } from "../../schema/rows/permission-rows.ts";
import { runTable, taskTable } from "../../schema/rows/run-rows.ts";
import {
  inboxTable,
  joinedTable,
  messageTable,
  sessionTable,
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
  tell,
} from "../effect-actions.ts";
import type { RunInput } from "../run/run-events.ts";
import type { SessionEvent } from "./session-events.ts";

type Event = Delivered<SessionEvent>;

export const openSession = effects<SessionContext, Event>(({ context, event }) => [
  putRow(sessionTable, {
    session_id: context.session_id,
    key: context.key,
    address: event.$.self,
    agent_id: context.agent_id,
    state: "open",
    created_at: event.$.at,
    last_at: event.$.at,
    closed_at: null,
  }),
]);

export const touchSession = effects<SessionContext, Event>(({ context, event }) => [
  patchRow(sessionTable, [context.session_id], { last_at: event.$.at }),
]);

/** What still waits ends with the session; whoever waits for an answer to it hears how many messages that were. */
export const closeSession = effects<SessionContext, Event>(({ context, event }) => {
  const { session_id, address: session_address, agent_id, queued, trust } = context;
  const { at } = event.$;
  const origins = [userOrigin(session_address), ...trust.untrusted];
  return [
    ask("episodeDue", { session_id, session_address, agent_id, trust, origins }),
    patchRow(sessionTable, [session_id], { state: "closed", closed_at: at, last_at: at }),
    tell({ type: "session.closed", session_id, dropped_messages: queued }),
    ...(queued === 0 ? [] : askChannel(context.address, "tellDropped", { dropped: queued })),
  ];
});

export const beginRun = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "message.received") return [];
  return [runOf(context, { ...event, trace: event.$.trace })];
});

/** The run of a message that waited belongs to that message's trace. */
export const beginNextRun = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "inbox.taken") return [];
  return [removeRow(inboxTable, event.seq), runOf(context, event)];
});

type Wanted = {
  readonly text: string;
  readonly trace: string;
  readonly boundary?: readonly string[] | undefined;
};

function runOf(context: SessionContext, { text, trace, boundary = [] }: Wanted): EffectAction {
  const { session_id, agent_id, run } = context;
  const id = run?.id ?? "";
  const input: RunInput = {
    session_id,
    session_address: context.address,
    agent_id,
    task_id: `t${id.slice(1)}`,
    run_id: id,
    trace_id: trace,
    trust: context.trust,
    text,
    boundary,
  };
  return { type: "spawnActor", params: { id: `run/${id}`, machine: "run", input, trace } };
}

export const keepMessage = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "message.received") return [];
  const { text, queue: mode = "follow_up", boundary = null } = event;
  const { seq, trace, at } = event.$;
  const run_id = mode === "steer" && boundary === null ? (context.run?.id ?? null) : null;
  const rank = mode === "interrupt" ? 0 : 1;
  const owner = context.address;
  return [
    putRow(inboxTable, { seq, owner, text, trace, at, mode, rank, run_id, boundary }),
    ...askChannel(owner, "tellQueued", { trace, mode }),
  ];
});

export const replaceKept = effects<SessionContext, Event>(({ event }) =>
  event.type === "message.edited" ? [patchRow(inboxTable, [event.seq], { text: event.text })] : [],
);

/** It was collected with the message that has just begun the run. */
export const joinRun = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "inbox.joined" || context.run === null) return [];
  const { seq, trace, run_trace } = event;
  return [
    removeRow(inboxTable, seq),
    putRow(joinedTable, {
      seq,
      trace_id: trace,
      run_id: context.run.id,
      run_trace_id: run_trace,
      session_id: context.session_id,
      at: event.$.at,
    }),
  ];
});

/** Behind a run that has ended it is looked at first whether the conversation has room for another. */
export const takeNext = effects<SessionContext, Event>(({ context, event }) => {
  const { address: session_address, session_id, agent_id } = context;
  const run_id = endedRun(event);
  return [ask("nextInboxMessage", { session_address, session_id, agent_id, run_id })];
});

export const cancelRun = effects<SessionContext, Event, { reason: string }>(
  ({ context }, { reason }) => toPresentRun(context, { type: "run.cancel", reason }),
);

export const steerRun = effects<SessionContext, Event>(({ context }) =>
  toPresentRun(context, { type: "run.steered" }),
);

function toPresentRun({ run }: SessionContext, event: EventData): EffectAction[] {
  return run === null ? [] : [sendTo(`./run/${run.id}`, event)];
}

/** Null: none has, in this step. */
export function endedRun(event: Event): string | null {
  if (event.type === "run.finished") return event.run_id;
  if (event.type !== "actor.failed") return null;
  return event.address.slice(event.address.lastIndexOf("/") + 1);
}

/** A run that was set aside cannot close its own books. */
export const settleFailedRun = effects<SessionContext, Event>(({ context, event }) => {
  if (event.type !== "actor.failed" || context.run === null) return [];
  const { at, seq } = event.$;
  const { id } = context.run;
  const task_id = `t${id.slice(1)}`;
  const work = { session_address: context.address, run_id: id, step_id: "" };
  const reply = `I could not go on: a fault inside statehive stopped this run (${event.error.code}).`;
  const error = { ...event.error, code: "internal", retryable: false } as const;
  return [
    patchRow(runTable, [id], { state: "failed", ended_at: at, reply, error }),
    patchRow(taskTable, [task_id], { state: "failed", ended_at: at }),
    clearRows(grantTable, grantOwners({ ...work, task_id }).task),
    putRow(messageTable, {
      position: positionOf(seq),
      session_id: context.session_id,
      run_id: id,
      role: "assistant",
      content: [{ type: "text", text: reply, origin: ownOrigin }],
      at,
    }),
    ...askChannel(context.address, "tellReply", { run_id: id }),
    ...askSchedule(event.$.trace, { run_id: id, state: "failed" }),
    ask("grantSlots", {}),
  ];
});
