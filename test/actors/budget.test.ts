import { afterEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { type Amounts, type AgentBudget, noBudget } from "../../src/schema/budget.ts";
import {
  budgetAllowanceTable,
  budgetHeldTable,
  budgetHoldTable,
} from "../../src/schema/rows/budget-rows.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { modelCallTable, usageTotalTable } from "../../src/schema/rows/model-rows.ts";
import { slotTable, stepTable } from "../../src/schema/rows/run-rows.ts";
import { heldModel } from "../support/held-model.ts";
import { createTestHive, place, type TestHive, type TestHiveOptions } from "../support/hive.ts";
import { type Metered, meteredModel } from "../support/metered-model.ts";
import {
  answer,
  audit,
  pendingApproval,
  reached,
  results,
  runs,
  statesOf,
  tell,
} from "./hive-watch.ts";

/** Runs that may not use as much as they like: 1000 tokens of output can come at any time, and so are held before. */

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

const tokens = (count: number): Amounts => ({ tokens: count, usd: null });
const usd = (sum: number): Amounts => ({ tokens: null, usd: sum });
const budget = (part: Partial<AgentBudget>) => () => ({ ...noBudget, ...part });

async function hiveWith(options: TestHiveOptions): Promise<TestHive> {
  const hive = await createTestHive(options);
  cleanups.push(() => hive.engine.close(0));
  return hive;
}

async function told(hive: TestHive, text: string, to = place): Promise<void> {
  await hive.say(text, to);
  await hive.engine.settled();
}

async function answered(hive: TestHive, value: string): Promise<void> {
  await answer(hive, value);
  await hive.engine.settled();
}

const used = (input_tokens: number, output_tokens: number): Metered => ({
  input_tokens,
  output_tokens,
});
const all = { index: "key" } as const;
const holds = (hive: TestHive) => hive.engine.read.select(budgetHoldTable, all);
const held = (hive: TestHive) => hive.engine.read.select(budgetHeldTable, all);
const allowances = (hive: TestHive) => hive.engine.read.select(budgetAllowanceTable, all);
const tokensOf = async (hive: TestHive, scope: string) => {
  const total = await hive.engine.read.get(usageTotalTable, scope);
  return (total?.input_tokens ?? 0) + (total?.output_tokens ?? 0);
};
const states = async (hive: TestHive) => (await runs(hive)).map(({ state }) => state);

describe("a budget", () => {
  it("that is not set leaves no row and asks nobody", async () => {
    const hive = await hiveWith({ provider: meteredModel(() => used(900, 90)).provider });
    await told(hive, "hello");
    expect(await states(hive)).toEqual(["done"]);
    expect([...(await holds(hive)), ...(await held(hive))]).toEqual([]);
  });

  it("may be let go by an approver of the channel that its session is on", async () => {
    const model = meteredModel(() => used(900, 100));
    const hive = await hiveWith({
      provider: model.provider,
      agentBudget: budget({ session: tokens(1) }),
      connectors: () => [{ id: "tg_main", type: "telegram", approvers: ["1001"] }],
    });
    await told(hive, "one", "telegram:tg_main:42:7:main");
    expect(await pendingApproval(hive)).toMatchObject({
      kind: "budget",
      approvers: ["tg_main:1001"],
    });
  });

  it("I05: asks a person before the call that it might not hold, and says why in words", async () => {
    const model = meteredModel(() => used(900, 100));
    const hive = await hiveWith({
      provider: model.provider,
      agentBudget: budget({ session: tokens(2_500) }),
    });
    for (const text of ["one", "two"]) await told(hive, text);
    expect(model.asked()).toBe(1);
    expect(await statesOf(hive, "run")).toEqual(["done", "paused_budget"]);
    const open = await pendingApproval(hive);
    expect(open).toMatchObject({
      kind: "budget",
      options: ["continue", "stop"],
      default_answer: "stop",
      summary:
        "The session has used 1 000 of 2 500 tokens; the next model call may need up to 2 018 more.",
      reason:
        "`budget.session` is 2 500 tokens. `continue` allows 2 500 tokens more from now on; `stop` ends the run.",
    });
    expect(await hive.engine.read.select(slotTable, all)).toEqual([]);
    expect(await holds(hive)).toEqual([]);
  });

  it("goes on when a person says so, with as much again from then on", async () => {
    const model = meteredModel(() => used(900, 100));
    const hive = await hiveWith({
      provider: model.provider,
      agentBudget: budget({ session: tokens(2_500) }),
    });
    for (const text of ["one", "two"]) await told(hive, text);
    const { approval_id } = await pendingApproval(hive);
    await answered(hive, "continue");
    expect(await states(hive)).toEqual(["done", "done"]);
    expect(await allowances(hive)).toEqual([
      {
        total: `session/${(await runs(hive))[0]?.session_id}`,
        kind: "tokens",
        up_to: 3_500,
        more: 2_500,
        approval_id,
        given_by: "ann",
        given_at: 1_000_000,
      },
    ]);
    const steps = await hive.engine.read.select(stepTable, all);
    expect(steps.map(({ action }) => action)).toEqual(["respond", "pause", "respond"]);
    expect(
      (await audit(hive)).map(({ tool, status, decided_by }) => [tool, status, decided_by]),
    ).toEqual([["budget", "answered", "ann"]]);
    expect([...(await holds(hive)), ...(await held(hive))]).toEqual([]);
    await told(hive, "three");
    expect(await statesOf(hive, "run")).toEqual(["done", "done", "paused_budget"]);
  });

  it("ends the run when a person says stop, and says what to change", async () => {
    const hive = await hiveWith({ agentBudget: budget({ run: tokens(1_000) }) });
    await told(hive, "hello");
    await answered(hive, "stop");
    const [run] = await runs(hive);
    expect(run).toMatchObject({ state: "failed", error: { code: "budget.exceeded" } });
    expect(run?.reply).toMatch(
      /^I could not go on: The run has used 0 of 1 000 tokens; .* ann said stop\. To go on, raise `budget\.run\.tokens` in the agent's file\. \(budget\.exceeded\)$/,
    );
  });

  it("stops the run when nobody answers in time", async () => {
    const hive = await hiveWith({ agentBudget: budget({ run: tokens(1_000) }) });
    await told(hive, "hello");
    hive.clock.advance(86_400_000);
    await hive.engine.settled();
    const [run] = await runs(hive);
    expect(run).toMatchObject({ state: "failed", error: { code: "budget.exceeded" } });
    expect(run?.reply).toContain("Nobody answered in time.");
  });

  it("that is smaller than one call lets that call through when a person allows it", async () => {
    const hive = await hiveWith({ agentBudget: budget({ run: tokens(10) }) });
    await told(hive, "hello");
    await answered(hive, "continue");
    expect(await states(hive)).toEqual(["done"]);
  });

  it.each([
    ["run", "run.cancel"],
    ["run", "run.stop_after_step"],
    ["session", "session.cancel"],
  ])("leaves no question open when the %s hears %s", async (machine, event) => {
    const hive = await hiveWith({ agentBudget: budget({ run: tokens(10) }) });
    await told(hive, "hello");
    await tell(hive, machine, event);
    await hive.engine.settled();
    expect(await states(hive)).toEqual(["cancelled"]);
    expect(await statesOf(hive, "approval")).toEqual(["cancelled"]);
  });

  it("does not count the wait as work or as a round, and keeps calls and results in pairs", async () => {
    const model = meteredModel(
      (_, n) =>
        n === 1 ? { ...used(500, 500), calls: [["file_list", { path: "." }]] } : used(500, 500),
      true,
    );
    const hive = await hiveWith({
      provider: model.provider,
      policy: { allow: ["file_list"] },
      agentBudget: budget({ run: tokens(2_500) }),
      agentLimits: { max_tool_rounds: 1, run_timeout_ms: 60_000 },
    });
    await told(hive, "look");
    expect(await statesOf(hive, "run")).toEqual(["paused_budget"]);
    hive.clock.advance(3_600_000);
    await hive.engine.settled();
    await answered(hive, "continue");
    expect(await states(hive)).toEqual(["done"]);
    expect(await results(hive)).toHaveLength(1);
  });
});

describe("what calls may use", () => {
  it("is held while they are under way, so that two runs cannot take the same remainder", async () => {
    const model = heldModel();
    const hive = await hiveWith({
      provider: { ...model.provider, supportsTools: false },
      agentBudget: budget({ day: tokens(1_900) }),
    });
    const isPaused = reached(hive, "run", "paused_budget");
    await hive.say("one", `${place}-1`);
    const first = await model.next();
    await hive.say("two", `${place}-2`);
    await isPaused;
    expect(model.asked).toHaveLength(1);
    expect(await held(hive)).toEqual([
      { total: "agent/main/day/1970-01-01", holds: 1, tokens: 1_024, micro_usd: 0 },
    ]);
    expect((await pendingApproval(hive)).summary).toBe(
      "The agent main has used 0 of 1 900 tokens today (UTC), calls under way may need 1 024; the next model call may need up to 1 024 more.",
    );
    first.says("done");
    await hive.engine.settled();
    expect(await held(hive)).toEqual([]);
  });

  it.each([1, 2, 3])("keeps many runs side by side below the limit (%i)", async (seed) => {
    const limit = 20_000;
    let number = seed;
    const random = (most: number) => {
      number = (number * 48_271) % 2_147_483_647;
      return number % most;
    };
    const model = meteredModel((request, n) => {
      const isLast = n % 3 === 0;
      const length = Math.ceil(JSON.stringify(request.messages).length / 4);
      const calls = [["file_list", { path: "." }] as const];
      return { ...used(random(length), random(1_000)), ...(isLast ? {} : { calls }) };
    }, true);
    const hive = await hiveWith({
      provider: model.provider,
      agentBudget: budget({ day: tokens(limit) }),
      agentLimits: { max_identical_calls: 100 },
      maxConcurrentRuns: 12,
    });
    const places = Array.from({ length: 12 }, (_, at) => `${place}-${at}`);
    for (let turn = 0; turn < 4; turn += 1) {
      await Promise.all(places.map((to) => hive.say("go on", to)));
      await hive.engine.settled();
      expect(await tokensOf(hive, "agent/main/day/1970-01-01")).toBeLessThanOrEqual(limit);
    }
    expect(model.asked()).toBeGreaterThan(20);
    expect(await statesOf(hive, "run")).toContain("paused_budget");
    expect(await holds(hive)).toEqual([]);
  });

  it("is given back when the call fails, and held again for the next attempt", async () => {
    const model = heldModel();
    const hive = await hiveWith({
      provider: { ...model.provider, supportsTools: false },
      agentBudget: budget({ run: tokens(1_900) }),
    });
    await hive.say("hello");
    const overloaded = new AgentError("model.overloaded", "Busy.", { retryable: true });
    (await model.next()).fails(overloaded);
    await hive.engine.settled();
    expect(await holds(hive)).toEqual([]);
    hive.clock.advance(1_000);
    const again = await model.next();
    expect(await holds(hive)).toHaveLength(1);
    again.says("hello");
    await hive.engine.settled();
    expect([await states(hive), await holds(hive), await held(hive)]).toEqual([["done"], [], []]);
  });

  it("is given back when the run is cancelled", async () => {
    const model = heldModel();
    const hive = await hiveWith({
      provider: model.provider,
      agentBudget: budget({ run: tokens(90_000) }),
    });
    await hive.say("hello");
    await model.next();
    expect(await holds(hive)).toHaveLength(1);
    await tell(hive, "run", "run.cancel");
    await hive.engine.settled();
    expect([await states(hive), await holds(hive)]).toEqual([["cancelled"], []]);
  });

  it("counts as input that was read when the service dies meanwhile", async () => {
    const model = heldModel();
    let store = createMemoryStore({ tables: allTables, strict: true });
    const options = {
      provider: { ...model.provider, supportsTools: false },
      agentBudget: budget({ run: tokens(3_000) }),
    };
    const first = await hiveWith({ ...options, store });
    await first.say("hello");
    await model.next();
    store = store.crash();
    const second = await hiveWith({ ...options, store });
    const again = await model.next();
    expect(await second.engine.read.select(modelCallTable, all)).toMatchObject([
      {
        outcome: "broken_off",
        attempt: 1,
        input_tokens: 25,
        output_tokens: 0,
        model: "held/rules",
      },
    ]);
    expect(await held(second)).toMatchObject([{ holds: 1 }]);
    again.says("hello");
    await second.engine.settled();
    expect([await states(second), await holds(second)]).toEqual([["done"], []]);
  });
});

describe("limits", () => {
  it("of a day end with it, and what was allowed beyond them too", async () => {
    const hive = await hiveWith({
      provider: meteredModel(() => used(900, 100)).provider,
      agentBudget: budget({ day: tokens(2_500) }),
    });
    for (const text of ["one", "two"]) await told(hive, text, `${place}-${text}`);
    expect(await statesOf(hive, "run")).toEqual(["done", "done"]);
    await told(hive, "three", `${place}-three`);
    await answered(hive, "continue");
    expect(await states(hive)).toEqual(["done", "done", "done"]);
    hive.clock.advance(86_400_000);
    for (const text of ["four", "five", "six"]) await told(hive, text, `${place}-${text}`);
    expect(await statesOf(hive, "run")).toEqual([
      "done",
      "done",
      "done",
      "done",
      "done",
      "paused_budget",
    ]);
  });

  it("of the whole service hold for all its agents", async () => {
    const hive = await hiveWith({ dayBudget: () => tokens(1_500) });
    await told(hive, "one", `${place}-1`);
    await told(hive, "two", `${place}-2`);
    expect((await pendingApproval(hive)).summary).toMatch(/^The service has used/);
  });

  it("that are lowered while a run works hold from its next call on", async () => {
    let limit = 100_000;
    const hive = await hiveWith({
      provider: meteredModel(
        (_, n) =>
          n === 1 ? { ...used(900, 100), calls: [["ask_user", { question: "Why?" }]] } : used(9, 9),
        true,
      ).provider,
      agentBudget: () => ({ ...noBudget, session: tokens(limit) }),
    });
    await told(hive, "one");
    limit = 1_500;
    await answered(hive, "because");
    expect(await statesOf(hive, "run")).toEqual(["paused_budget"]);
    expect((await pendingApproval(hive)).summary).toContain("1 000 of 1 500 tokens");
  });

  it("of money count by the price of input and output", async () => {
    const hive = await hiveWith({
      provider: meteredModel(() => used(1_000, 100)).provider,
      agentBudget: budget({ day: usd(0.05) }),
      costOf: (_, { input_tokens, output_tokens }) => input_tokens * 3 + output_tokens * 15,
    });
    for (const text of ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
      await told(hive, text, `${place}-${text}`);
    const open = await pendingApproval(hive);
    expect(open.summary).toBe(
      "The agent main has used $0.036 of $0.05 today (UTC); the next model call may cost up to $0.015075 more.",
    );
    expect(open.reason).toBe(
      "`budget.day` is $0.05. `continue` allows $0.05 more from now on, until the day ends; `stop` ends the run.",
    );
  });

  it("of money cannot be held for a model without a price: a person is asked once a run", async () => {
    const model = meteredModel(
      (_, n) => (n === 1 ? { ...used(9, 9), calls: [["file_list", { path: "." }]] } : used(9, 9)),
      true,
    );
    const hive = await hiveWith({
      provider: model.provider,
      agentBudget: budget({ day: usd(5) }),
    });
    await told(hive, "one");
    expect((await pendingApproval(hive)).summary).toBe(
      "metered/rules has no price in `prices`, so the limit of $5 a day for the agent can't be held.",
    );
    await answered(hive, "continue");
    expect([await states(hive), model.asked()]).toEqual([["done"], 2]);
    await told(hive, "two");
    expect((await pendingApproval(hive)).summary).toContain("has no price");
    await answered(hive, "stop");
    expect((await hive.lastRun())?.reply).toContain("give metered/rules a price under `prices`");
  });
});
