import type { AnyStateMachine } from "xstate";
import { describe, expect, it } from "vitest";
import { statePath } from "../../src/engine/kernel/actor-state.ts";
import { sessionMachine } from "../../src/machines/session/session.machine.ts";
import type { SessionContext } from "../../src/schema/contexts/session-context.ts";
import { queueModes } from "../../src/schema/queue.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import {
  forgotten,
  type Laws,
  rowsOf,
  sentTo,
  type Taken,
  type Walk,
  walk,
  withChart,
  type World,
} from "./kernel-walk.ts";

/** Everything that can happen to a session with room for two waiting messages. */

type Ledger = {
  readonly liveRuns: number;
  readonly inbox: number;
  /** Accepted messages that neither began a run nor wait. */
  readonly lost: number;
  /** Messages that asked the present run to end. */
  readonly interrupts: number;
  readonly closed: number;
};

const contextOf = (world: { readonly actor: World<Ledger>["actor"] }) =>
  world.actor.snapshot.context as SessionContext;

function moves(world: World<Ledger>): EventData[] {
  const { run, queued, compaction } = contextOf(world);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const finished = (run_id: string): EventData => ({
    type: "run.finished",
    run_id,
    state: "done",
    usage,
  });
  const failed = (address: string): EventData => ({
    type: "actor.failed",
    address,
    machine: "run",
    error: { code: "internal", message: "A step failed.", retryable: false },
  });
  return [
    { type: "message.received", text: "hello" },
    ...queueModes.map((queue) => ({ type: "message.received", text: "hello", queue })),
    {
      type: "message.received",
      text: "only read",
      queue: "steer",
      boundary: ["fs.read:**"],
    },
    ...(compaction === null ? grantMoves : []),
    { type: "session.cancel" },
    { type: "session.compact" },
    ...(run === null ? compactionMoves : []),
    finished("r-foreign"),
    failed("session/k/run/r-foreign"),
    ...(run === null ? [] : [finished(run.id), failed(run.address)]),
    ...(isTakingNext(world)
      ? [{ type: "inbox.taken", seq: 7, text: "next", trace: "t7", at: 0 }]
      : []),
    ...(compaction !== null && queued > 0
      ? [{ type: "message.edited", seq: 8, text: "as I meant it" }]
      : []),
    ...(run !== null && queued > 0
      ? [
          { type: "inbox.joined", seq: 8, trace: "t8", run_trace: "t7" },
          { type: "message.steered", seq: 8 },
          { type: "message.edited", seq: 8, text: "as I meant it" },
        ]
      : []),
  ];
}

/** A lookup's answer, which comes between two runs. */
const compactionMoves: readonly EventData[] = [
  { type: "compaction.due", from_position: 5_000, kept: [3_000], reason: "tokens" },
  { type: "compaction.due", from_position: 5_000, kept: [], reason: "messages", tokens: 90 },
];

const summaryOf = (until: number, facts: readonly string[]) => ({
  output: {
    summary: "They met.",
    facts: [...facts],
    partition: "main/cli",
    until,
    model: "m",
    usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 },
  },
});

const broken = { error: { code: "model.unreachable", message: "It is gone.", retryable: true } };

const isCompacting = (state: string) => state.startsWith("compacting");
const stateBefore = ({ before }: Pick<Taken<Ledger>, "before">) =>
  before === undefined ? "" : statePath(before.actor.snapshot.value);

const grantMoves: readonly EventData[] = [
  { type: "grant.given", grant_id: "g1", expires_at: 5_000 },
  { type: "grant.expired", grant_id: "g1" },
  { type: "grant.revoke", grant_id: "g1", by: "ann" },
  {
    type: "grant.found",
    grant_id: "g1",
    by: "ann",
    tool: "file_write",
    capability: "fs.write:a.txt",
    scope: "run",
    run_id: "r3",
    step_id: "r3.1",
    trace_id: "t3",
  },
];

/** The lookup's answer is still on its way. */
const isTakingNext = (world: World<Ledger>) =>
  contextOf(world).run === null &&
  contextOf(world).queued > 0 &&
  world.actor.snapshot.value === "running";

function endsRun({ event, before }: Omit<Taken<Ledger>, "ledger">): boolean {
  const run = before === undefined ? null : contextOf(before).run;
  if (run === null) return false;
  return event["run_id"] === run.id || event["address"] === run.address;
}

/** How often the present run is asked to end because of a message. */
const interruptsIn = ({ event, effects }: Pick<Taken<Ledger>, "event" | "effects">) =>
  event.type === "message.received" ? toRun(effects, "run.cancel").length : 0;

const toRun = (effects: Taken<Ledger>["effects"], type: string) =>
  effects.filter((effect) => effect.kind === "send" && effect.event.type === type);

function count(taken: Omit<Taken<Ledger>, "ledger">, ledger: Ledger): Ledger {
  const { event, effects, isAccepted, isFinal } = taken;
  const begun = effects.filter(({ kind }) => kind === "spawn").length;
  const kept = rowsOf(effects, "inbox").length;
  const removed = rowsOf(effects, "inbox", "remove").length;
  const received = event.type === "message.received" && isAccepted ? 1 : 0;
  const joined = rowsOf(effects, "joined_messages").length;
  const steered = event.type === "message.steered" && isAccepted ? 1 : 0;
  return {
    liveRuns: ledger.liveRuns + begun - (isAccepted && endsRun(taken) ? 1 : 0),
    inbox: ledger.inbox + kept - removed - steered,
    lost: ledger.lost + received + removed - kept - begun - joined,
    interrupts: contextOf(taken).run === null ? 0 : ledger.interrupts + interruptsIn(taken),
    closed: ledger.closed + (isFinal ? rowsOf(effects, "sessions", "patch").length : 0),
  };
}

const laws: Laws<Ledger> = {
  "a session never has two runs at once": ({ ledger }) => ledger.liveRuns <= 1,
  "no accepted message is lost": ({ ledger }) => ledger.lost === 0,
  "as many messages wait as it says, and never more than it has room for": ({ ledger, actor }) =>
    ledger.inbox === contextOf({ actor }).queued && ledger.inbox <= contextOf({ actor }).queue_cap,
  "nothing waits while nothing runs": ({ state, ledger }) => state !== "idle" || ledger.inbox === 0,
  "a session that runs has a run, or takes the next message": ({ state, ledger, effects }) =>
    state !== "running" ||
    ledger.liveRuns === 1 ||
    effects.some(({ kind }) => kind === "lookup") ||
    ledger.inbox > 0,
  "a session closes exactly once, and never with a run open": ({ isFinal, ledger }) =>
    ledger.closed === (isFinal ? 1 : 0) && (!isFinal || ledger.liveRuns === 0),
  "a session that closes with a run waits for its end": ({ state, ledger }) =>
    state !== "closing" || ledger.liveRuns === 1,
  "a run is told to stop as often as somebody closes the session": ({ state, event, effects }) =>
    state !== "closing" ||
    event.type !== "session.cancel" ||
    effects.some((effect) => effect.kind === "send" && effect.event.type === "run.cancel"),
  "a message that interrupts asks the present run to end, once": (taken) => {
    const { event, before, isAccepted, ledger } = taken;
    const isInterrupt = event["queue"] === "interrupt" && isAccepted;
    const hadRun = before !== undefined && contextOf(before).run !== null;
    return isInterrupt && hadRun ? ledger.interrupts === 1 : interruptsIn(taken) === 0;
  },
  "a message that interrupts goes before all others": ({ effects }) =>
    rowsOf(effects, "inbox").every(
      ({ mode, rank }) => (mode === "interrupt") === (rank === 0) && (rank === 0 || rank === 1),
    ),
  "a run is told of each message that is kept for it": ({ effects, actor }) => {
    const { run } = contextOf({ actor });
    const kept = rowsOf(effects, "inbox").filter(({ run_id }) => run_id !== null);
    return (
      kept.length === toRun(effects, "run.steered").length &&
      kept.every(({ run_id, mode }) => run_id === run?.id && mode === "steer")
    );
  },
  "a message with a boundary of its own joins no run": ({ event, effects }) =>
    event["boundary"] === undefined || toRun(effects, "run.steered").length === 0,
  "a grant goes at its time, or when a person takes it back, which stands in the audit": ({
    event,
    effects,
    isAccepted,
  }) => {
    const isRevoked = isAccepted && event.type === "grant.found";
    const isOver = isAccepted && event.type === "grant.expired";
    const gone = rowsOf(effects, "grants", "remove").length;
    const told = rowsOf(effects, "audit").filter(({ status }) => status === "revoked");
    return gone === (isRevoked || isOver ? 1 : 0) && told.length === (isRevoked ? 1 : 0);
  },
  "a session's time runs exactly while it is idle": ({ state, actor }) =>
    Object.keys(actor.timers).some((id) => id.includes("sessionTtl")) === (state === "idle"),
  "a run that was set aside is closed in its stead": (taken) => {
    const isFailure = taken.event.type === "actor.failed" && endsRun(taken);
    return rowsOf(taken.effects, "runs", "patch").length === (isFailure ? 1 : 0);
  },
  "a close says how many messages it drops": ({ isFinal, effects, actor }) =>
    !isFinal ||
    effects.some(
      (effect) =>
        effect.kind === "notice" &&
        effect.notice["dropped_messages"] === contextOf({ actor }).queued,
    ),
  "a conversation is summed up only between two runs": ({ state, ledger }) =>
    !isCompacting(state) || ledger.liveRuns === 0,
  "whatever becomes of the summary, the conversation is shorter when the next run begins": (
    taken,
  ) => {
    const isLeft = isCompacting(stateBefore(taken)) && !isCompacting(taken.state);
    return !isLeft || taken.isFinal || rowsOf(taken.effects, "history_cuts").length === 1;
  },
  "facts are on their way to memory before the summary takes the place of what they come from": (
    taken,
  ) => {
    const [row] = rowsOf(taken.effects, "history_cuts");
    const last = contextOf({ actor: taken.before?.actor ?? taken.actor }).compaction?.summarized;
    const facts = taken.event["output"] as { readonly facts?: readonly string[] } | undefined;
    if (row === undefined || row["summary"] === null) return true;
    if (stateBefore(taken) === "compacting.flushing") return (last?.facts.length ?? 0) > 0;
    return facts?.facts?.length === 0;
  },
  "a compaction that is over is forgotten": ({ state, actor }) =>
    (contextOf({ actor }).compaction !== null) === isCompacting(state) || state === "closed",
  "nobody but the session's own run hears from it": ({ effects }) =>
    sentTo(effects, "parent", "run.cancel").length === 0,
};

const plan: Walk<Ledger> = {
  machine: sessionMachine,
  input: {
    key: "k",
    agent_id: "main",
    queue_cap: 2,
    ttl_ms: 1_000,
  },
  ledger: { liveRuns: 0, inbox: 0, lost: 0, interrupts: 0, closed: 0 },
  moves,
  settlements: {
    summarizeHistory: {
      settled: [
        summaryOf(5_000, []),
        summaryOf(5_000, ["Ann is 40."]),
        summaryOf(2_000, []),
        summaryOf(2_000, ["Ann is 40."]),
        broken,
      ],
      stopped: [{ ended: "aborted" }],
    },
    changeMemory: {
      settled: [{ output: { changed: [], rewritten: [] } }, broken],
      stopped: [{ ended: "aborted" }],
    },
  },
  count,
  key: ({ run, queued, compaction }: SessionContext) => [
    run?.interrupted,
    queued,
    compaction?.summarized?.until,
    compaction?.summarized?.facts.length,
  ],
  laws,
};

describe("everything that can happen to a session", () => {
  const walked = walk(plan);

  it("reaches every state and takes every transition", () => {
    expect(walked.unreached).toEqual([]);
    expect(walked.untaken).toEqual([]);
  });

  it("keeps every law on every path", () => {
    expect(walked.breaches).toEqual({});
  });
});

describe("a planted fault breaks the law it offends:", () => {
  const brokenLaws = (machine: AnyStateMachine) => Object.keys(walk({ ...plan, machine }).breaches);
  /** As soon as one is broken, the rest of what can happen is not looked at. */
  const breaks = (machine: AnyStateMachine, law: string) =>
    law in walk({ ...plan, machine, until: law }).breaches;

  it("a message that begins a run while another works", () => {
    const machine = withChart(sessionMachine, "states.running.on", {
      "message.received": { actions: ["rememberRun", "beginRun"] },
    });
    expect(breaks(machine, "a session never has two runs at once")).toBe(true);
  });

  it("a message that is counted, but not kept", () => {
    const machine = sessionMachine.provide({ actions: { keepMessage: forgotten } });
    expect(breaks(machine, "no accepted message is lost")).toBe(true);
  });

  it("a queue without an end", () => {
    const machine = sessionMachine.provide({
      guards: { isQueueOpen: ({ context }) => context.queued < 5 },
    });
    expect(
      breaks(machine, "as many messages wait as it says, and never more than it has room for"),
    ).toBe(true);
  });

  it("a queue that nobody looks into when a run ends", () => {
    const machine = sessionMachine.provide({ guards: { hasWaitingMessages: () => false } });
    expect(breaks(machine, "nothing waits while nothing runs")).toBe(true);
  });

  it("a session that closes over a run's head", () => {
    const machine = sessionMachine.provide({ guards: { hasNoRun: () => true } });
    expect(breaks(machine, "a session closes exactly once, and never with a run open")).toBe(true);
  });

  it("a session that waits for a run that it does not have", () => {
    const machine = sessionMachine.provide({ guards: { hasNoRun: () => false } });
    expect(breaks(machine, "a session that closes with a run waits for its end")).toBe(true);
  });

  it("a message that interrupts only itself", () => {
    const machine = sessionMachine.provide({ actions: { cancelRun: forgotten } });
    expect(breaks(machine, "a message that interrupts asks the present run to end, once")).toBe(
      true,
    );
  });

  it("a second interruption that asks the run again", () => {
    const machine = sessionMachine.provide({ actions: { rememberInterruption: forgotten } });
    expect(brokenLaws(machine)).toEqual([
      "a message that interrupts asks the present run to end, once",
    ]);
  });

  it("a message that steers nobody", () => {
    const machine = sessionMachine.provide({ actions: { steerRun: forgotten } });
    expect(brokenLaws(machine)).toEqual(["a run is told of each message that is kept for it"]);
  });

  it("a session that closes over a run's head when its time is up", () => {
    const machine = withChart(sessionMachine, "states.running.after", { sessionTtl: "closed" });
    expect(breaks(machine, "a session's time runs exactly while it is idle")).toBe(true);
  });

  it("a foreign run's end that counts", () => {
    const machine = sessionMachine.provide({ guards: { isPresentRun: () => true } });
    expect(breaks(machine, "a session closes exactly once, and never with a run open")).toBe(true);
  });

  it("a run that was set aside and stays open", () => {
    const machine = sessionMachine.provide({ actions: { settleFailedRun: forgotten } });
    expect(brokenLaws(machine)).toEqual(["a run that was set aside is closed in its stead"]);
  });

  it("a summary that takes the place of facts nobody has kept", () => {
    const machine = sessionMachine.provide({ guards: { hasFacts: () => false } });
    expect(brokenLaws(machine)).toEqual([
      "facts are on their way to memory before the summary takes the place of what they come from",
    ]);
  });

  it("a failed summary that leaves the conversation as long as it was", () => {
    const machine = sessionMachine.provide({ actions: { leaveOut: forgotten } });
    expect(brokenLaws(machine)).toEqual([
      "whatever becomes of the summary, the conversation is shorter when the next run begins",
    ]);
  });

  it("a message that is lost while the conversation is summed up", () => {
    const machine = withChart(sessionMachine, "states.compacting.on", {
      "message.received": { actions: "touchSession" },
    });
    expect(breaks(machine, "no accepted message is lost")).toBe(true);
  });
});
