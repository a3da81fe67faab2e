import { runMachine } from "../../src/machines/run/run.machine.ts";
import { noTrust } from "../../src/schema/contexts/trust.ts";
import type { RunContext } from "../../src/schema/contexts/run-context.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import {
  type Effect,
  rowsOf,
  self,
  sentTo,
  type Taken,
  type Walk,
  type World,
} from "./kernel-walk.ts";
import { runLaws } from "./run-laws.ts";

/** Everything that can happen to a run of at most two rounds with at most two calls each. */

export type RunLedger = {
  readonly slot: "none" | "waiting" | "holding";
  readonly openSteps: number;
  readonly answers: number;
  readonly failures: number;
  readonly ends: number;
  readonly told: number;
  /** Results that the run wrote for calls that were set aside, and how many of those there were. */
  readonly standIns: number;
  readonly failedCalls: number;
  /** Messages that were asked for and are not handed over yet: the lookup answers before all else. */
  readonly asked: number;
  /** What a person is asked about a budget, until it has ended. */
  readonly question: "none" | "open" | "cancelled";
};

const limits = {
  max_tool_rounds: 2,
  max_identical_calls: 2,
  run_timeout_ms: 1_800_000,
  approval_timeout_ms: 86_400_000,
};

const use = (id: string, path: string): JsonObject => ({
  type: "tool_use",
  id,
  name: "file_read",
  input: { path },
});
const said = (content: readonly JsonObject[], stop_reason = "end_turn"): JsonObject => ({
  output: { content, stop_reason, usage: { input_tokens: 10, output_tokens: 5 }, model: "m/1" },
});
const error = (code: string) => ({ code, message: "It did not work.", retryable: false });

const tooLong = {
  ...error("model.context_too_long"),
  details: { cut: { from_position: 5_000, kept: [] } },
};

const over = {
  scope: "session",
  total: "session/s1",
  kind: "tokens",
  limit: 1_000,
  up_to: 1_000,
  used: 900,
  held: 0,
  needed: 200,
  model: "m/1",
};
const overBudget = { ...error("budget.exceeded"), details: { over, approvers: [] } };

const answers = {
  text: said([{ type: "text", text: "Hello." }]),
  empty: said([]),
  cut: said([{ type: "text", text: "Hel" }], "max_tokens"),
  refusal: said([], "refusal"),
  twoCalls: said([use("c1", "a"), use("c2", "b")], "tool_use"),
  oneCall: said([use("c1", "c")], "tool_use"),
};

/** What a tool call can say next, by what it said last. */
const nextStates: Readonly<Record<string, readonly string[]>> = {
  executing: ["awaiting_approval", "awaiting_user", "outcome_unknown", "finished"],
  awaiting_approval: ["executing", "finished"],
  awaiting_user: ["finished"],
  outcome_unknown: ["executing", "finished"],
  finished: [],
};

function callMoves(calls: RunContext["calls"]): EventData[] {
  return calls.flatMap(({ id, child, state }): EventData[] => {
    const changes = (nextStates[state] ?? []).map((next) => ({
      type: "call.changed",
      call_id: id,
      state: next,
    }));
    const address = `${self}/${child}`;
    const failed = {
      type: "actor.failed",
      address,
      machine: "tool_call",
      error: error("internal"),
    };
    return [...changes, failed];
  });
}

function moves({ actor, ledger }: World<RunLedger>): EventData[] {
  const { calls } = actor.snapshot.context as RunContext;
  return [
    { type: "run.cancel" },
    ...(ledger.slot === "waiting"
      ? [{ type: "slot.granted", pin: { hash: "h1", is_new: true, limits, boundary: [] } }]
      : []),
    ...callMoves(calls),
    {
      type: "actor.failed",
      address: `${self}/call/c-foreign`,
      machine: "tool_call",
      error: error("internal"),
    },
  ];
}

/** A lookup's answer comes before everything else. */
function movesWithMessages(world: World<RunLedger>, state: string): readonly EventData[] {
  const handed = { type: "inbox.handed", seq: 7, text: "and this", trace: "t7" };
  if (world.ledger.asked > 0) return [handed];
  const { steered } = world.actor.snapshot.context as RunContext;
  return [
    ...moves(world),
    { type: "run.stop_after_step" },
    ...(steered === 0 ? [{ type: "run.steered" }] : []),
    ...(state === "thinking" ? [] : [handed]),
  ];
}

export const runWalk: Walk<RunLedger> = {
  machine: runMachine,
  input: {
    session_id: "s1",
    session_address: "session/k",
    agent_id: "main",
    task_id: "t1",
    run_id: "r1",
    trace_id: "trace",
    trust: noTrust,
    text: "hello",
  },
  ledger: {
    slot: "none",
    openSteps: 0,
    answers: 0,
    failures: 0,
    ends: 0,
    told: 0,
    standIns: 0,
    failedCalls: 0,
    asked: 0,
    question: "none",
  },
  moves,
  settlements: {
    callModel: {
      settled: [...Object.values(answers), { error: error("model.auth") }, { error: tooLong }],
      stopped: [
        { ended: "completed", ...answers.text },
        { ended: "aborted" },
        { ended: "unknown" },
      ],
    },
  },
  count,
  key: (context: RunContext) => [
    context.round,
    context.calls.map(({ state }) => state),
    context.repeated,
    context.shortened,
    context.active_since === null,
    context.steered,
    context.is_stopping,
    context.ending,
    context.error?.code,
    context.earlier_reply,
    context.reply,
  ],
  laws: runLaws,
};

/** The same with messages that reach the run while it works, and with a stop after its step; fewer answers and calls. */
export const steeredRunWalk: Walk<RunLedger> = {
  ...runWalk,
  input: { ...runWalk.input, limits: { ...limits, max_tool_rounds: 1 } },
  moves: movesWithMessages,
  settlements: {
    callModel: {
      settled: [answers.text, answers.oneCall, { error: error("model.auth") }],
      stopped: [{ ended: "completed", ...answers.text }, { ended: "aborted" }],
    },
  },
};

/** The answers that a budget's question can end with, and its loss; those of another question mean nothing. */
function movesWithBudgets(world: World<RunLedger>, state: string): readonly EventData[] {
  if (world.ledger.asked > 0) return movesWithMessages(world, state);
  const { paused, steered } = world.actor.snapshot.context as RunContext;
  const id = paused.question?.id ?? "a0";
  const decided = (how: string, word: string, approval_id = id) => ({
    type: "approval.decided",
    approval_id,
    state: how,
    answer: word,
    decided_by: "tester",
  });
  const ends = {
    none: [],
    open: [
      decided("answered", "continue"),
      decided("answered", "stop"),
      decided("expired", "stop"),
      {
        type: "actor.failed",
        address: `${self}/approval/${id}`,
        machine: "approval",
        error: error("internal"),
      },
    ],
    cancelled: [decided("cancelled", "")],
  };
  return [
    ...moves(world),
    ...ends[world.ledger.question],
    decided("answered", "continue", "a-foreign"),
    { type: "run.stop_after_step" },
    ...(state === "paused_budget" && steered === 0 ? [{ type: "run.steered" }] : []),
  ];
}

/** The same with a budget that is used up again and again; how often does not matter. */
export const pausedRunWalk: Walk<RunLedger> = {
  ...runWalk,
  input: steeredRunWalk.input,
  moves: movesWithBudgets,
  settlements: {
    callModel: {
      settled: [answers.text, answers.oneCall, { error: overBudget }],
      stopped: [{ ended: "aborted" }],
    },
  },
  key: (context: RunContext) => [
    context.round - context.paused.times,
    context.paused.question === null,
    context.steered,
    context.calls.map(({ state }) => state),
    context.active_since === null,
    context.is_stopping,
    context.ending,
    context.error?.code,
    context.reply,
  ],
};

function count(taken: Omit<Taken<RunLedger>, "ledger">, ledger: RunLedger): RunLedger {
  const { event, before, effects } = taken;
  const messages = rowsOf(effects, "messages");
  const byRole = (role: string) => messages.filter((row) => row["role"] === role).length;
  const context = before?.actor.snapshot.context as RunContext | undefined;
  const isOpenFailure =
    event.type === "actor.failed" &&
    context?.calls.some(
      ({ child, state }) => event["address"] === `${self}/${child}` && state !== "finished",
    ) === true;
  const failed = taken.state === "failed" && before !== undefined;
  return {
    slot: slotAfter(effects, ledger.slot),
    openSteps:
      ledger.openSteps + rowsOf(effects, "steps").length - rowsOf(effects, "steps", "patch").length,
    answers: failed ? ledger.answers : Math.min(3, ledger.answers + byRole("assistant")),
    failures: ledger.failures + (failed ? byRole("assistant") : 0),
    ends: ledger.ends + rowsOf(effects, "runs", "patch").filter((row) => "state" in row).length,
    told: ledger.told + sentTo(effects, "parent", "run.finished").length,
    standIns: ledger.standIns + byRole("tool"),
    failedCalls: ledger.failedCalls + (isOpenFailure ? 1 : 0),
    question: questionAfter(taken, ledger.question),
    asked: Math.max(0, ledger.asked - (event.type === "inbox.handed" ? 1 : 0)) + askedIn(effects),
  };
}

function askedIn(effects: readonly Effect[]): number {
  const lookup = effects.find(
    (effect) => effect.kind === "lookup" && effect.name === "steeredMessages",
  );
  return lookup?.kind === "lookup" ? (lookup.args["limit"] as number) : 0;
}

function questionAfter(
  { event, effects, state }: Omit<Taken<RunLedger>, "ledger">,
  question: RunLedger["question"],
): RunLedger["question"] {
  if (effects.some((effect) => effect.kind === "spawn" && effect.machine === "approval"))
    return "open";
  const isLost = event.type === "actor.failed" && event["machine"] === "approval";
  const isDecided = event.type === "approval.decided" && event["approval_id"] !== "a-foreign";
  if (isLost || isDecided) return "none";
  return question === "open" && state === "cancelling" ? "cancelled" : question;
}

function slotAfter(effects: readonly Effect[], slot: RunLedger["slot"]): RunLedger["slot"] {
  let now = slot;
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.write.table !== "slots") continue;
    now = effect.write.op === "put" ? (effect.write.row["state"] as typeof now) : "none";
  }
  return now;
}
