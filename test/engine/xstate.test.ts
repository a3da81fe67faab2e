import { createRequire } from "node:module";
import { createMachine, initialTransition, raise, transition } from "xstate";
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { describe, expect, it } from "vitest";
import { fromStored, toStored } from "../../src/engine/kernel/actor-state.ts";
import { firstStep, nextStep, type Step } from "../../src/engine/kernel/kernel.ts";
import { createMachineRegistry } from "../../src/engine/machine-registry.ts";
import { ask, sendTo } from "../../src/machines/effect-actions.ts";
import type { EventData, EventMeta } from "../../src/schema/events/event.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { puppetMachine } from "./fixtures/puppet.machine.ts";
import { workerMachine } from "./fixtures/worker.machine.ts";

/** The kernel leans on points of XState that are public in its types but not in its documents: our own actor scope, marks in the
 *  place of child actors, resolveState, maxIterations. An upgrade is held against its public functions here. */

const meta = (seq: number): EventMeta => ({
  at: 1000 + seq,
  seq,
  trace: "t",
  cause: null,
  origin: "cli",
  self: "a",
});

const delivered = (event: EventData, seq: number) => ({ ...event, $: meta(seq) });

type Play = {
  readonly machine: AnyStateMachine;
  readonly input: JsonObject;
  readonly events: readonly EventData[];
};

const plays: { readonly [what: string]: Play } = {
  "assignments and effects": {
    machine: puppetMachine,
    input: { first: [ask("countNotes", { owner: "a" })] },
    events: [
      { type: "puppet.note", note: "x" },
      { type: "puppet.do", effects: [sendTo("b", { type: "puppet.wake" })] },
    ],
  },
  "delays, left, entered again and over": {
    machine: puppetMachine,
    input: {},
    events: [
      { type: "puppet.wait" },
      { type: "puppet.wait" },
      { type: "puppet.wake" },
      { type: "puppet.wait" },
      { type: "xstate.after.aSecond.puppet.waiting" },
    ],
  },
  "an event that the state does not accept, and an end": {
    machine: puppetMachine,
    input: {},
    events: [{ type: "puppet.sleep" }, { type: "puppet.note" }, { type: "puppet.cancel" }],
  },
  "work that is done": {
    machine: workerMachine,
    input: {},
    events: [
      { type: "worker.start", job: "repeat" },
      { type: "xstate.done.actor.work", actorId: "work", output: "fine" },
    ],
  },
  "work that is left, begun again, and stopped": {
    machine: workerMachine,
    input: {},
    events: [
      { type: "worker.start", job: "repeat" },
      { type: "worker.restart" },
      { type: "worker.stop" },
      { type: "activity.stopped", activity: "work", ended: "aborted" },
    ],
  },
  "work that is left in the step that begins it": {
    machine: workerMachine,
    input: {},
    events: [{ type: "worker.flash" }],
  },
};

type Seen = { readonly value: unknown; readonly context: unknown; readonly status: string };

const seen = ({ value, context, status }: AnyMachineSnapshot): Seen => ({ value, context, status });

type Action = { readonly type: string; readonly params?: unknown };

/** XState's actions by name and what they are about: children are live actors there and marks here. */
function named({ type, params }: Action): string {
  const { id, sendId, actorRef } = (params ?? {}) as {
    readonly id?: string;
    readonly sendId?: string;
    readonly actorRef?: { readonly id: string };
  };
  return [type, actorRef?.id ?? sendId ?? id].filter((part) => part !== undefined).join(" ");
}

const effectNames: { readonly [type: string]: string } = {
  "xstate.raise": "timer",
  "xstate.cancel": "cancel_timer",
  "xstate.spawnChild": "activity",
  "xstate.stopChild": "stop_activity",
};

function ofXstate({ machine, input, events }: Play): { seen: Seen[]; effects: string[][] } {
  type Taken = [AnyMachineSnapshot, readonly Action[]];
  let [snapshot, actions] = initialTransition(machine, { ...input, $: meta(1) }) as Taken;
  const all = [{ snapshot, actions }];
  for (const [at, event] of events.entries()) {
    [snapshot, actions] = transition(machine, snapshot, delivered(event, at + 2)) as Taken;
    all.push({ snapshot, actions });
  }
  return {
    seen: all.map((one) => seen(one.snapshot)),
    effects: all.map((one) =>
      one.actions.map(named).map((name) => {
        const [type = "", ...rest] = name.split(" ");
        return [effectNames[type] ?? type, ...rest].join(" ");
      }),
    ),
  };
}

/** The same through the kernel, with every state stored as JSON in between. */
function ofKernel({ machine, input, events }: Play): { seen: Seen[]; steps: Step[] } {
  const steps = [firstStep(machine, input, meta(1))];
  for (const [at, event] of events.entries()) {
    const stored = JSON.parse(JSON.stringify(toStored((steps.at(-1) as Step).state))) as never;
    steps.push(nextStep(fromStored(machine, stored), delivered(event, at + 2)));
  }
  return { seen: steps.map(({ state }) => seen(state.snapshot)), steps };
}

describe("xstate", () => {
  it("is the version that this contract was last held against", () => {
    const { version } = createRequire(import.meta.url)("xstate/package.json") as {
      version: string;
    };
    expect(version).toBe("5.33.3");
  });

  it.each(Object.entries(plays))("takes the same steps as the kernel: %s", (_what, play) => {
    const expected = ofXstate(play);
    const { seen: states, steps } = ofKernel(play);
    expect(states).toEqual(expected.seen);
    const kinds = { send: "send", lookup: "lookup", write: "write", notice: "notice" };
    const effects = steps.map((step) =>
      step.effects.map((effect) => {
        if (effect.kind in kinds) return effect.kind;
        return "id" in effect ? `${effect.kind} ${effect.id}` : effect.kind;
      }),
    );
    const acting = expected.effects.map((names) =>
      names.filter((name) =>
        /^(send|lookup|timer|cancel_timer|activity|stop_activity)\b/.test(name),
      ),
    );
    expect(effects.map((names) => names.filter((name) => !isBookkeeping(name)))).toEqual(
      acting.map((names) => names.filter((name) => !isBookkeeping(name))),
    );
  });

  it("asks for the end of what a mark stands for, as for a live child", () => {
    const [, restarted] = ofKernel(
      plays["work that is left, begun again, and stopped"] as Play,
    ).steps.slice(1);
    expect(restarted?.effects).toEqual([
      { kind: "stop_activity", id: "work", seq: 2 },
      { kind: "activity", id: "work", src: "repeatWork", input: { job: "repeat" } },
    ]);
    expect(restarted?.state.activities).toEqual({
      work: { src: "repeatWork", seq: 3, stopping: false },
    });
  });

  it("remembers history across a stored state", () => {
    const machine = createMachine({
      id: "history",
      version: "1",
      initial: "on",
      states: {
        on: {
          initial: "slow",
          states: { slow: { on: { faster: "fast" } }, fast: {}, last: { type: "history" } },
          on: { pause: "off" },
        },
        off: { on: { resume: "on.last" } },
      },
    });
    const events = [{ type: "faster" }, { type: "pause" }, { type: "resume" }];
    const play = { machine, input: {}, events };
    expect(ofKernel(play).seen.at(-1)?.value).toEqual({ on: "fast" });
    expect(ofKernel(play).seen).toEqual(ofXstate(play).seen);
  });

  it("stops a machine that never comes to rest, once it is registered", () => {
    const machine = createMachine({
      id: "restless",
      version: "1",
      initial: "calm",
      states: {
        calm: { on: { go: "restless" } },
        restless: {
          entry: raise({ type: "again" }),
          on: { again: { actions: raise({ type: "again" }) } },
        },
      },
    });
    createMachineRegistry([{ machine, context: { safeParse: () => ({ success: true }) } }]);
    const { state } = firstStep(machine, {}, meta(1));
    expect(() => nextStep(state, delivered({ type: "go" }, 2))).toThrow("Infinite loop detected");
  });

  it("ends in an error that keeps its code when no state hears of a failed child", () => {
    const machine = createMachine({
      id: "deaf",
      version: "1",
      initial: "calm",
      states: { calm: {} },
    });
    const { state } = firstStep(machine, {}, meta(1));
    const error = { code: "tool.failed", message: "no luck", retryable: false };
    expect(() => nextStep(state, delivered({ type: "xstate.error.actor.work", error }, 2))).toThrow(
      expect.objectContaining({ code: "tool.failed", message: "no luck" }),
    );
  });

  it("gives back the very snapshot when nothing accepts an event", () => {
    const { state } = firstStep(puppetMachine, {}, meta(1));
    const asleep = nextStep(state, delivered({ type: "puppet.sleep" }, 2));
    const refused = nextStep(asleep.state, delivered({ type: "puppet.note" }, 3));
    expect(refused).toEqual({
      state: asleep.state,
      effects: [],
      accepted: false,
      reason: "It sleeps.",
    });
    expect(refused.state.snapshot).toBe(asleep.state.snapshot);
  });
});

/** XState cancels and stops what it leaves whether or not it is there; the kernel only what is. */
function isBookkeeping(name: string): boolean {
  return /^(cancel_timer|stop_activity)\b/.test(name);
}
