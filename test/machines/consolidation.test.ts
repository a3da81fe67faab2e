import { describe, expect, it } from "vitest";
import { consolidationMachine } from "../../src/machines/consolidation/consolidation.machine.ts";
import type { ConsolidationPlan } from "../../src/schema/consolidation.ts";
import type { ConsolidationContext } from "../../src/schema/contexts/consolidation-context.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import {
  forgotten,
  type Laws,
  rowsOf,
  sentTo,
  type Taken,
  type Walk,
  walk,
  withChart,
} from "./kernel-walk.ts";

/** Everything that can happen while the memory of one partition is tidied. */

type Ledger = {
  /** Times that files were to be replaced, that they were, and that who asked was told. */
  readonly begun: number;
  readonly changed: number;
  readonly told: number;
};

const failed = (code: string, details?: JsonObject): JsonObject => ({
  error: {
    code,
    message: "No.",
    retryable: false,
    ...(details === undefined ? {} : { details }),
  },
});

const nothing: ConsolidationPlan = { files: [], notes: [], more_notes: 0, considered: [] };
const path = "main/local/2026-11-20.md";
const something: ConsolidationPlan = {
  ...nothing,
  files: [{ path, before: "a1", after: "b2" }],
  considered: [{ path, entries: ["k1"] }],
};

const settlements: Walk<Ledger>["settlements"] = {
  surveyMemory: {
    settled: [
      { output: { plan: nothing, question_tokens: null, question_mark: null } },
      { output: { plan: something, question_tokens: null, question_mark: null } },
      { output: { plan: nothing, question_tokens: 100, question_mark: "q1" } },
      { output: { plan: something, question_tokens: 100, question_mark: "q1" } },
      failed("memory.unavailable"),
    ],
    stopped: [{ ended: "aborted" }],
  },
  proposeConsolidation: {
    settled: [
      { output: { plan: nothing, is_usable: true, model: "m", usage: {} } },
      { output: { plan: something, is_usable: true, model: "m", usage: {} } },
      { output: { plan: nothing, is_usable: false, model: "m", usage: {} } },
      failed("model.refused"),
      failed("budget.exceeded"),
    ],
    stopped: [{ ended: "aborted" }],
  },
  changeMemory: {
    settled: [
      { output: { changed: [{ path, kind: "consolidate" }], rewritten: [] } },
      failed("memory.changed", { changed: [] }),
      failed("memory.changed", { changed: [{ path, kind: "consolidate" }] }),
      failed("memory.unavailable"),
    ],
    stopped: [],
  },
};

const begins = ({ effects }: Pick<Taken<Ledger>, "effects">, activity: string) =>
  effects.some((effect) => effect.kind === "activity" && effect.src === activity);

const isEmpty = ({ files, considered }: ConsolidationPlan) =>
  files.length + considered.length === 0;

const isDone = (type: string) => type === "xstate.done.actor.changeMemory";

const laws: Laws<Ledger> = {
  "a dry run changes nothing, and looks at nothing for good": ({ context, ledger, effects }) =>
    context["is_dry_run"] !== true ||
    (ledger.begun === 0 && effects.every(({ kind }) => kind !== "write")),
  "a schedule is told once, at the end, and nobody else": ({ isFinal, ledger, context }) =>
    ledger.told === (isFinal && context["is_by_hand"] !== true ? 1 : 0),
  "nothing is changed twice": ({ ledger }) => ledger.changed <= 1,
  "files are read at most three times": ({ context }) => (context["tries"] as number) <= 3,
  "nothing is asked where nothing is new": (taken) =>
    !begins(taken, "proposeConsolidation") || taken.context["question_tokens"] !== null,
  "what got no usable answer is known from then on, and nothing else": (taken) => {
    const [row] = rowsOf(taken.effects, "memory_unanswered");
    const { output, error } = taken.event as {
      output?: { is_usable?: boolean };
      error?: { code: string };
    };
    const isUnanswered = output?.is_usable === false || error?.code === "model.refused";
    return (
      taken.context["is_dry_run"] === true || (row?.["question_mark"] === "q1") === isUnanswered
    );
  },
  "an idle day ends without a write": ({ isFinal, state, context, effects }) =>
    !(isFinal && state === "done" && isEmpty(context["plan"] as ConsolidationPlan)) ||
    context["question_mark"] !== null ||
    effects.every(({ kind }) => kind !== "write"),
  "what was promoted before another file stood in the way is looked at": ({ event, effects }) => {
    const { error } = event as { error?: { details?: { changed?: unknown[] } } };
    const isPartly = (error?.details?.changed?.length ?? 0) > 0;
    return !isPartly || rowsOf(effects, "memory_considered").length === 1;
  },
  "the end says what it came to": ({ state, ledger, effects }) => {
    const [told] = sentTo(effects, "parent", "consolidation.finished");
    if (told === undefined) return true;
    const expected = state === "failed" ? "failed" : ledger.changed > 0 ? "changed" : "unchanged";
    return told["outcome"] === expected;
  },
};

function plan(is_dry_run: boolean, is_by_hand = false): Walk<Ledger> {
  return {
    machine: consolidationMachine,
    input: { partition: "main/local", by: "schedule:consolidate", is_dry_run, is_by_hand },
    ledger: { begun: 0, changed: 0, told: 0 },
    moves: () => [{ type: "consolidation.cancel" }],
    settlements,
    count: (taken, { begun, changed, told }) => ({
      begun: begun + (begins(taken, "changeMemory") ? 1 : 0),
      changed: changed + (isDone(taken.event.type) && taken.isAccepted ? 1 : 0),
      told: told + sentTo(taken.effects, "parent", "consolidation.finished").length,
    }),
    key: ({ is_dry_run: dry, tries, plan: planned, question_tokens }: ConsolidationContext) => ({
      dry,
      tries,
      files: planned?.files.length,
      question_tokens,
    }),
    laws,
  };
}

it("reaches every state and takes every transition", () => {
  const walked = walk(plan(false));
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
});

it.each([false, true])("keeps every law on every path (dry run: %s)", (isDryRun) => {
  expect(walk(plan(isDryRun)).breaches).toEqual({});
  expect(walk(plan(isDryRun, true)).breaches).toEqual({});
});

describe("a planted fault breaks the law it offends:", () => {
  const breachesOf = (machine: Walk<Ledger>["machine"], isDryRun = false) =>
    Object.keys(walk({ ...plan(isDryRun), machine }).breaches);

  it("a dry run that changes files", () => {
    const machine = consolidationMachine.provide({ guards: { changesFiles: () => true } });
    expect(breachesOf(machine, true)).toContain(
      "a dry run changes nothing, and looks at nothing for good",
    );
  });

  it("an edit that is waited for without end", () => {
    const machine = withChart(consolidationMachine, "states.applying.invoke.onError", [
      { target: "collecting", actions: "recordIfPartlyDone" },
    ]);
    expect(breachesOf(machine)).toContain("files are read at most three times");
  });

  it("promotions that are forgotten as another file is in the way", () => {
    const machine = consolidationMachine.provide({ actions: { recordIfPartlyDone: forgotten } });
    expect(breachesOf(machine)).toContain(
      "what was promoted before another file stood in the way is looked at",
    );
  });

  it("a useless answer that is forgotten", () => {
    const machine = consolidationMachine.provide({ actions: { recordAnswer: forgotten } });
    expect(breachesOf(machine)).toContain(
      "what got no usable answer is known from then on, and nothing else",
    );
  });

  it("an end that nobody hears of", () => {
    const machine = consolidationMachine.provide({ actions: { tellFinished: forgotten } });
    expect(breachesOf(machine)).toContain("a schedule is told once, at the end, and nobody else");
  });
});
