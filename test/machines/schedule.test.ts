import { describe, expect, it } from "vitest";
import { scheduleMachine } from "../../src/machines/schedule/schedule.machine.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import type { ScheduleContext } from "../../src/schema/contexts/schedule-context.ts";
import { definitionOf } from "../actors/schedule/schedule-support.ts";
import {
  forgotten,
  type Laws,
  sentTo,
  type Taken,
  type Walk,
  walk,
  withChart,
} from "./kernel-walk.ts";

/** Everything that can happen to a schedule: times that come, work that ends or does not, a person's word in between. */

type Ledger = {
  /** Work that was handed out, and has not ended. */
  readonly working: number;
};

const contextOf = (taken: Pick<Taken<Ledger>, "context">) =>
  taken.context as unknown as ScheduleContext;

const asked = ({ effects }: Pick<Taken<Ledger>, "effects">, name: string) =>
  effects.filter((effect) => effect.kind === "lookup" && effect.name === name).length;

const begun = (taken: Pick<Taken<Ledger>, "effects">) =>
  asked(taken, "placeTask") + asked(taken, "partitionsToConsolidate");

const laws: Laws<Ledger> = {
  "never does two things at once": ({ ledger }) => ledger.working <= 1,
  "works as long as its work does": ({ state, ledger }) =>
    (state === "due" || state === "running") === (ledger.working === 1),
  "plans its next time as it begins": (taken) =>
    begun(taken) === 0 || asked(taken, "nextDue") === 1,
  "is not begun by its time while it is paused": ({ before, event, state }) =>
    before?.actor.snapshot.value !== "paused" ||
    event.type !== "schedule.due" ||
    state === "paused",
  "does what was missed only after its wait": ({ before, event, state }) =>
    before?.actor.snapshot.value !== "catching_up" ||
    state !== "due" ||
    event.type === "schedule.run" ||
    event.type.startsWith("xstate.after."),
  "does not go while something works for it": ({ isFinal, ledger }) =>
    !isFinal || ledger.working === 0,
  "an answer goes to the channel once, with the end of its run": ({ effects, event }) =>
    sentTo(effects, "connector/tg", "delivery.due").length <=
    (event.type === "task.ended" && event["run_id"] !== null ? 1 : 0),
  "a failure counts until something went well": (taken) => {
    const { failures, last_outcome } = contextOf(taken);
    const isFailure = ["failed", "refused", "dropped"].includes(last_outcome ?? "");
    return isFailure ? failures > 0 : last_outcome === "cancelled" || failures === 0;
  },
};

const words = ["run", "pause", "resume", "remove"].map((word) => ({ type: `schedule.${word}` }));

function moves(context: ScheduleContext): EventData[] {
  const trace = context.present?.trace ?? "schedule:report:0";
  const failed = { code: "internal", message: "No.", retryable: false };
  const fault = (partition: string) => ({
    type: "actor.failed",
    address: `schedule/report/consolidation/${encodeURIComponent(partition)}`,
    machine: "consolidation",
    error: failed,
  });
  const finished = (partition: string, outcome: string) => ({
    type: "consolidation.finished",
    partition,
    outcome,
    detail: "",
  });
  return [
    ...words,
    { type: "schedule.planned", next_at: 5_000 },
    { type: "schedule.planned", next_at: -600_000 },
    { type: "schedule.planned", next_at: null },
    { type: "schedule.due" },
    { type: "schedule.configure", definition: context.definition },
    { type: "task.placed" },
    { type: "task.refused", trace, reason: "no" },
    { type: "task.refused", trace: "schedule:report:0" },
    ...["done", "failed", "cancelled"].map((state) => ({
      type: "task.ended",
      trace,
      run_id: "r1",
      state,
    })),
    { type: "task.ended", trace, run_id: null, state: "dropped" },
    { type: "task.ended", trace: "schedule:report:0", run_id: "r0", state: "done" },
    { type: "partitions.found", partitions: [] },
    { type: "partitions.found", partitions: ["main/tg", "main/local"] },
    finished("main/tg", "changed"),
    finished("main/local", "failed"),
    finished("main/local", "unchanged"),
    fault("main/tg"),
    fault("main/local"),
  ];
}

function plan(): Walk<Ledger> {
  const deliver = { connector: "tg", scope: "1001" };
  return {
    machine: scheduleMachine,
    input: {
      schedule_id: "report",
      source: "config",
      definition: definitionOf("0 * * * *", { deliver }),
    },
    ledger: { working: 0 },
    moves: ({ actor }) => moves(actor.snapshot.context as ScheduleContext),
    settlements: {},
    count: (taken, { working }) => {
      const before = taken.before?.actor.snapshot.context as ScheduleContext | undefined;
      const hasEnded = (before?.present ?? null) !== null && contextOf(taken).present === null;
      return { working: working + begun(taken) - (hasEnded ? 1 : 0) };
    },
    key: ({ next_at, present, afterwards, failures, last_outcome }: ScheduleContext) => ({
      next: next_at === null ? null : next_at > 0,
      open: present?.open ?? null,
      afterwards,
      failures: Math.min(failures, 1),
      was_cancelled: last_outcome === "cancelled",
    }),
    laws,
  };
}

it("reaches every state and takes every transition, and keeps every law on every path", () => {
  const walked = walk(plan());
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
  expect(walked.breaches).toEqual({});
});

describe("a planted fault breaks the law it offends:", () => {
  const breachesOf = (machine: Walk<Ledger>["machine"]) =>
    Object.keys(walk({ ...plan(), machine }).breaches);

  it("a time that begins beside what works", () => {
    const machine = withChart(scheduleMachine, "states.running.on", { "schedule.due": "due" });
    expect(breachesOf(machine)).toContain("never does two things at once");
  });

  it("a beginning that plans nothing", () => {
    const machine = scheduleMachine.provide({ actions: { planNext: forgotten } });
    expect(breachesOf(machine)).toContain("plans its next time as it begins");
  });
});
