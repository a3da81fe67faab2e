import { expect, it } from "vitest";
import { createReadApi } from "../../src/app/api/read-api.ts";
import { isTight } from "../../src/app/records/budgets-of.ts";
import type { AgentConfig } from "../../src/schema/config/config.ts";
import { noAmounts } from "../../src/schema/budget.ts";
import { answer } from "../actors/hive-watch.ts";
import { createTestHive } from "../support/hive.ts";
import { meteredModel } from "../support/metered-model.ts";

/** What people see of limits. */

const caller = undefined as never;
const budget = { run: noAmounts, session: { tokens: 2_500, usd: null }, day: noAmounts };

it("stand beside the totals they limit, with what was allowed beyond them", async () => {
  const model = meteredModel(() => ({ input_tokens: 900, output_tokens: 100 }));
  const hive = await createTestHive({ provider: model.provider, agentBudget: () => budget });
  const agents = [{ id: "main", budget } as AgentConfig];
  const api = createReadApi(hive.engine.read, {
    config: () => ({
      agents,
      connectors: [],
      schedules: [],
      budget: { day: { tokens: null, usd: 1 } },
    }),
    now: () => 1_000_000,
  });
  for (const text of ["one", "two"]) {
    await hive.say(text);
    await hive.engine.settled();
  }
  const bySession = () => api["usage.totals"]({ by: "session", limit: 10 }, caller);
  const about = { scope: "session", total: "session/s1", kind: "tokens", limit: 2_500, held: 0 };
  const [before] = await bySession();
  expect(before?.budgets).toEqual([{ ...about, allowed: 0, used: 1_000, left: 1_500 }]);
  expect(before?.budgets.map(isTight)).toEqual([false]);
  const runs = await api["runs.list"]({ limit: 1 }, caller);
  const paused = await api["runs.show"]({ id: runs[0]?.run_id ?? "" }, caller);
  expect(paused).toMatchObject({
    state: "paused_budget",
    budgets: [about, { scope: "day", kind: "usd", limit: 1, left: 1 }],
  });
  await answer(hive, "continue");
  await hive.engine.settled();
  const [after] = await bySession();
  expect(after?.budgets).toEqual([{ ...about, allowed: 1_000, used: 2_000, left: 1_500 }]);
  expect(await api["usage.totals"]({ by: "day", limit: 10 }, caller)).toMatchObject([
    { budgets: [{ scope: "day", total: "day/1970-01-01" }] },
  ]);
  await hive.engine.close(0);
});
