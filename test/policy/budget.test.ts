import { expect, it } from "vitest";
import { stricterBudget } from "../../src/policy/budget.ts";
import { noBudget } from "../../src/schema/budget.ts";

it.each([
  ["when the run began, and is no more", 100, null, 100],
  ["now, and was not when the run began", null, 100, 100],
  ["at both times, to what is less", 100, 50, 50],
  ["at no time", null, null, null],
])("limits a run that is limited %s", (_when, pinned, live, tokens) => {
  const budgetOf = (limit: number | null) => ({ ...noBudget, run: { tokens: limit, usd: null } });
  expect(stricterBudget(budgetOf(pinned), budgetOf(live))).toEqual(budgetOf(tokens));
});
