import { describe, expect, it } from "vitest";
import { firstStep, nextStep } from "../../src/engine/kernel/kernel.ts";
import { systemMachine } from "../../src/machines/system/system.machine.ts";
import type { SystemContext } from "../../src/schema/contexts/system-context.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import { forgotten, type Laws, type Walk, walk, withChart } from "./kernel-walk.ts";

/** Everything that can happen to the root, with one child that is restarted and one that is not, a connector and a session. */

type Ledger = { readonly births: number };

const root = "session/k/run/r1";
const failed = (address: string, machine = "session"): EventData => ({
  type: "actor.failed",
  address,
  machine,
  error: { code: "internal", message: "A step failed.", retryable: false },
});

const same = { added: [], changed: [], removed: [] };
const requests = ["system.start", "system.drain", "system.stop"];
const moves: readonly EventData[] = [
  ...requests.map((type) => ({ type })),
  failed(`${root}/keeper`),
  failed(`${root}/once`),
  failed("session/k"),
  failed("connector/tg", "connector"),
  { type: "child.restart", address: `${root}/keeper` },
  { type: "mark.clear", workspace: "/w", path: ".", origins: ["web:x"], by: "cli" },
  { type: "config.reloaded", by: "cli", agents: same, providers: same, settings: [] },
];

const input = {
  children: [
    { id: "keeper", machine: "keeper", input: {}, restart: "permanent" },
    { id: "once", machine: "keeper", input: {}, restart: "temporary" },
  ],
  max_restarts: 2,
  within_ms: 60_000,
  backoff_ms: 1_000,
};

const laws: Laws<Ledger> = {
  "the root changes its state only when it is asked to": ({ event, state, before }) =>
    before === undefined || before.actor.snapshot.value === state || requests.includes(event.type),
  "children are born once, at the first start": ({ ledger, state }) =>
    ledger.births === (state === "booting" ? 0 : 2),
  "every failure is followed by a restart or remembered": ({ event, effects, context }) => {
    if (event.type !== "actor.failed") return true;
    const { failures } = context as unknown as SystemContext;
    const isScheduled = effects.some(({ kind }) => kind === "timer");
    return isScheduled !== (failures.at(-1)?.address === event["address"]);
  },
  "what was given up is visible": ({ context }) => {
    const { failures, tags } = context as unknown as SystemContext;
    return failures.length > 0 === tags.includes("degraded");
  },
  "a restart that is due is never lost": ({ event, effects }) =>
    event.type !== "child.restart" || effects.some(({ kind }) => kind === "restart"),
  "a reload offers slots": ({ event, effects }) =>
    event.type !== "config.reloaded" || effects.some(({ kind }) => kind === "lookup"),
  "a start is taken by every root that does not run": ({ event, state }) =>
    event.type !== "system.start" || state === "running",
};

const plan: Walk<Ledger> = {
  machine: systemMachine,
  input,
  ledger: { births: 0 },
  moves: ({ actor }) =>
    moves.filter(({ type }) => type !== "child.restart" || actor.snapshot.value !== "booting"),
  settlements: {},
  count: ({ effects }, { births }) => ({
    births: births + effects.filter(({ kind }) => kind === "spawn").length,
  }),
  key: ({ restarts, failures }: SystemContext) => [
    restarts.map(({ address }) => address).toSorted(),
    failures.slice(-1).map(({ address }) => address),
  ],
  laws,
};

it("reaches every state and takes every transition", () => {
  const walked = walk(plan);
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
});

it("keeps every law on every path", () => {
  expect(walk(plan).breaches).toEqual({});
});

it.each([
  ["a child", `${root}/keeper`, "keeper"],
  ["a connector", "connector/tg", "connector"],
])(
  "restarts %s with a doubled wait, gives it up after so many restarts in the window, and begins anew after it",
  (_who, address, machine) => {
    const { send, tags } = livingRoot();
    send(0, { type: "system.start" });
    expect(send(1_000, failed(address, machine))).toEqual([1_000]);
    expect(send(2_000, { type: "child.restart", address })).toEqual(["restart"]);
    expect(send(3_000, failed(address, machine))).toEqual([2_000]);
    expect(tags()).toEqual([]);
    expect(send(6_000, failed(address, machine))).toEqual([]);
    expect(tags()).toEqual(["degraded"]);
    expect(send(70_000, failed(address, machine))).toEqual([1_000]);

    send(71_000, { type: "system.stop" });
    expect(send(80_000, { type: "system.start" })).toEqual(["restart"]);
    expect(tags()).toEqual([]);
  },
);

it("counts the restarts of each by itself: a connector that always fails takes nothing from another", () => {
  const { send } = livingRoot();
  send(0, { type: "system.start" });
  for (const at of [1_000, 3_000, 6_000]) send(at, failed("connector/broken", "connector"));
  expect(send(7_000, failed("connector/tg", "connector"))).toEqual([1_000]);
  expect(send(8_000, failed("connector/broken", "connector"))).toEqual([]);
});

it("gives up for good what is no child of its own: a session, and what is below a connector", () => {
  const { send } = livingRoot();
  send(0, { type: "system.start" });
  expect(send(1_000, failed("session/k"))).toEqual([]);
  expect(send(2_000, failed("connector/tg/download/7", "download"))).toEqual([]);
  send(3_000, { type: "system.stop" });
  expect(send(4_000, { type: "system.start" })).toEqual([]);
});

function livingRoot() {
  let seq = 1;
  const meta = (at: number) => ({
    at,
    seq: (seq += 1),
    trace: "t",
    cause: null,
    origin: "actor" as const,
    self: root,
  });
  let state = firstStep(systemMachine, input, meta(0)).state;
  const send = (at: number, event: EventData) => {
    const step = nextStep(state, { ...event, $: meta(at) });
    ({ state } = step);
    return step.effects.map((effect) => (effect.kind === "timer" ? effect.delayMs : effect.kind));
  };
  const tags = () => (state.snapshot.context as SystemContext).tags;
  return { send, tags };
}

describe("a planted fault breaks the law it offends:", () => {
  it("a failure that nobody remembers", () => {
    const machine = systemMachine.provide({ actions: { rememberFailure: forgotten } });
    expect(Object.keys(walk({ ...plan, machine }).breaches)).toContain(
      "every failure is followed by a restart or remembered",
    );
  });

  it("a root that stops because of an actor", () => {
    const machine = withChart(systemMachine, "states.running.on", {
      "actor.failed": { target: "stopped", actions: "rememberFailure" },
    });
    expect(Object.keys(walk({ ...plan, machine }).breaches)).toContain(
      "the root changes its state only when it is asked to",
    );
  });

  it("a start that a root killed while it drained does not take", () => {
    const machine = withChart(systemMachine, "states.draining.on", { "system.stop": "stopped" });
    expect(Object.keys(walk({ ...plan, machine }).breaches)).toContain(
      "a start is taken by every root that does not run",
    );
  });
});
