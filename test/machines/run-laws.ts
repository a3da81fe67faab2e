import type { RunContext } from "../../src/schema/contexts/run-context.ts";
import { type Laws, rowsOf, sentTo, type Taken } from "./kernel-walk.ts";
import type { RunLedger } from "./run-walk.ts";

/** What must hold of a run, whatever happens to it. */

const contextOf = (taken: Taken<RunLedger>) => taken.context as unknown as RunContext;

const slotIn: Readonly<Record<string, RunLedger["slot"]>> = {
  idle: "waiting",
  thinking: "holding",
  awaiting_tool: "holding",
};

/** Where a run with calls in these states belongs, while nobody cancels it. */
function placeOf(calls: RunContext["calls"]): string {
  const states = new Set(calls.map(({ state }) => state));
  if (states.has("executing")) return "awaiting_tool";
  if (states.has("awaiting_user") || states.has("outcome_unknown")) return "awaiting_user";
  return states.has("awaiting_approval") ? "awaiting_approval" : "thinking";
}

function isUnderWay({ actor, ledger }: Taken<RunLedger>, { calls }: RunContext): boolean {
  const hasOpenCalls = calls.some(({ state }) => state !== "finished");
  const asksPerson = ledger.question !== "none";
  return (
    hasOpenCalls ||
    asksPerson ||
    Object.keys(actor.activities).length > 0 ||
    ledger.slot === "waiting"
  );
}

const stateAt = ({ before }: Taken<RunLedger>) =>
  before?.actor.snapshot.value as string | undefined;

const asksModel = ({ effects }: Taken<RunLedger>): boolean =>
  effects.some((effect) => effect.kind === "activity");

const contextBefore = ({ before }: Taken<RunLedger>) =>
  before?.actor.snapshot.context as RunContext | undefined;

const steeredBefore = (taken: Taken<RunLedger>): number => contextBefore(taken)?.steered ?? 0;

const wasStopping = (taken: Taken<RunLedger>): boolean =>
  contextBefore(taken)?.is_stopping === true;

export const runLaws: Laws<RunLedger> = {
  "a run that ends closes its rows and tells its session exactly once": ({ isFinal, ledger }) =>
    ledger.ends === (isFinal ? 1 : 0) && ledger.told === (isFinal ? 1 : 0),
  "what the session is told is how the run ended": ({ isFinal, effects, state }) =>
    !isFinal ||
    (sentTo(effects, "parent", "run.finished")[0]?.["state"] === state &&
      rowsOf(effects, "runs", "patch")[0]?.["state"] === state &&
      rowsOf(effects, "tasks", "patch")[0]?.["state"] === state),
  "a slot is held while the run works, and never while only people are waited for": ({
    state,
    ledger,
  }) => ledger.slot === (slotIn[state] ?? "none"),
  "a slot that comes free is offered to the next": ({ before, ledger, effects }) =>
    before?.ledger.slot !== "holding" ||
    ledger.slot === "holding" ||
    effects.some((effect) => effect.kind === "lookup" && effect.name === "grantSlots"),
  "a run is pinned to a configuration as it gets its slot, and never again": (taken) => {
    const pins = rowsOf(taken.effects, "runs", "patch").filter((row) => "config_hash" in row);
    return pins.length === (taken.event.type === "slot.granted" ? 1 : 0);
  },
  "a round is open from the first thought to the end": ({ isFinal, state, ledger, effects }) => {
    const wasNeverBegun = state === "cancelled" && rowsOf(effects, "steps", "patch").length === 0;
    const closed = isFinal || state === "idle";
    return ledger.openSteps === (closed ? 0 : 1) || wasNeverBegun;
  },
  "a run waits where its calls are": (taken) => {
    const { state, isFinal } = taken;
    if (isFinal || ["idle", "cancelling", "paused_budget"].includes(state)) return true;
    return placeOf(contextOf(taken).calls) === state;
  },
  "a run that has not ended works or waits for a call, a model or a slot": (taken) =>
    taken.isFinal || isUnderWay(taken, contextOf(taken)),
  "no call is left behind open": (taken) =>
    !taken.isFinal || contextOf(taken).calls.every(({ state }) => state === "finished"),
  "an open call is not forgotten": (taken) => {
    const { event, before } = taken;
    const calls = (before?.actor.snapshot.context as RunContext | undefined)?.calls ?? [];
    const open = calls.filter(({ id, state }) => state !== "finished" && id !== event["call_id"]);
    return open.every(({ id }) => contextOf(taken).calls.some((call) => call.id === id));
  },
  "calls begin together with the answer that asks for them": ({ effects }) => {
    const spawned = effects.filter(
      (effect) => effect.kind === "spawn" && effect.machine === "tool_call",
    ).length;
    const asked = rowsOf(effects, "messages")
      .flatMap(({ content }) => content as { type: string }[])
      .filter(({ type }) => type === "tool_use").length;
    return spawned === asked;
  },
  "a call that was set aside gets exactly one result from its run": ({ ledger }) =>
    ledger.standIns === ledger.failedCalls,
  "every open call is told to stop when the run is": (taken) => {
    const isStopping = taken.state === "cancelling" && stateAt(taken) !== "cancelling";
    if (!isStopping && taken.event.type !== "run.cancel") return true;
    const open = contextOf(taken).calls.filter(({ state }) => state !== "finished");
    return (
      taken.state !== "cancelling" ||
      open.every(({ child }) => sentTo(taken.effects, `./${child}`, "call.cancel").length === 1)
    );
  },
  "the person is told why a run failed": (taken) =>
    taken.ledger.failures === (taken.state === "failed" ? 1 : 0) &&
    (taken.state !== "failed" || contextOf(taken).reply?.includes("I could not go on") === true),
  "a run that is done has answered something": (taken) =>
    taken.state !== "done" || (contextOf(taken).reply ?? "").trim() !== "",
  "a run has at most as many rounds of calls as its limit": (taken) => {
    const { round, shortened, paused, limits } = contextOf(taken);
    return round - shortened.times - paused.times <= limits.max_tool_rounds + 1;
  },
  "a model that found its history too long is asked with less of it, or not at all": (taken) => {
    const before = taken.before?.actor.snapshot.context as RunContext | undefined;
    const { times, from_position } = contextOf(taken).shortened;
    if (before === undefined || times === before.shortened.times) return true;
    const [cut] = rowsOf(taken.effects, "history_cuts");
    return (
      from_position > before.shortened.from_position && cut?.["from_position"] === from_position
    );
  },
  "a message that waits reaches the next model call": (taken) =>
    !asksModel(taken) || taken.ledger.asked === steeredBefore(taken),
  "a message that is handed over is in the history, once, between two rounds' calls": ({
    event,
    isAccepted,
    effects,
    state,
  }) => {
    if (event.type !== "inbox.handed") return rowsOf(effects, "joined_messages").length === 0;
    const said = rowsOf(effects, "messages").filter(({ role }) => role === "user");
    const isTaken = rowsOf(effects, "inbox", "remove").length === 1;
    const isTold = sentTo(effects, "parent", "message.steered").length === 1;
    const isRecorded = said.length === 1 && isTaken && isTold;
    return state === "thinking" ? isRecorded : !isAccepted && said.length === 0;
  },
  "a run does not end as done while a message waits": (taken) => {
    const { steered, is_stopping, round, shortened, limits } = contextOf(taken);
    const hasRoundsLeft = round - shortened.times <= limits.max_tool_rounds;
    return taken.state !== "done" || steered === 0 || is_stopping || !hasRoundsLeft;
  },
  "no model is asked after a stop": (taken) => !asksModel(taken) || !wasStopping(taken),
  "nobody is waited for after a stop": (taken) =>
    !contextOf(taken).is_stopping ||
    !["awaiting_approval", "awaiting_user", "paused_budget"].includes(taken.state),
  "a person is asked about a budget exactly while the run is paused": ({ state, ledger }) =>
    (ledger.question === "open") === (state === "paused_budget"),
  "the question about a budget is taken back when the run is cancelled": (taken) => {
    const isCancelled = stateAt(taken) === "paused_budget" && taken.state === "cancelling";
    const sent = taken.effects.filter(
      (effect) => effect.kind === "send" && effect.event.type === "approval.cancel",
    );
    return sent.length === (isCancelled ? 1 : 0);
  },
  "a paused run asks its model again as soon as more is allowed, and never before": (taken) => {
    if (stateAt(taken) !== "paused_budget")
      return rowsOf(taken.effects, "budget_allowances").length === 0;
    const { event, effects } = taken;
    const isAllowed = event["answer"] === "continue" && event["approval_id"] !== "a-foreign";
    const isWritten = rowsOf(effects, "budget_allowances").length === 1;
    return isWritten === isAllowed && asksModel(taken) === isAllowed;
  },
  "a run that was asked to stop says so as it ends": (taken) => {
    if (taken.state !== "cancelled") return true;
    const said = rowsOf(taken.effects, "messages").length;
    const reply = JSON.stringify(rowsOf(taken.effects, "runs", "patch")[0]?.["reply"]);
    return contextOf(taken).is_stopping ? said === 1 && reply.includes("I stopped") : said === 0;
  },
  "a run that is to fail does not end as cancelled": (taken) =>
    taken.state !== "cancelled" || contextOf(taken).ending === "cancelled",
  "the deadline runs exactly while the run works": ({ state, actor }) => {
    const isArmed = Object.keys(actor.timers).some((id) => id.includes("runDeadline"));
    return isArmed === (state === "thinking" || state === "awaiting_tool");
  },
  "what a model used is counted, though nobody waits for it any more": (taken) =>
    !JSON.stringify(taken.event).includes("input_tokens") ||
    contextOf(taken).usage.input_tokens >
      ((taken.before?.actor.snapshot.context as RunContext | undefined)?.usage.input_tokens ?? 0),
};
