import { useIn } from "../../actors/budget-gate.ts";
import { totalsOf } from "../../actors/usage-ledger.ts";
import { type BudgetLimit, limitsOf } from "../../policy/budget.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type BudgetScope, noBudget } from "../../schema/budget.ts";
import { budgetAllowanceTable, budgetHeldTable } from "../../schema/rows/budget-rows.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { usageTotalTable } from "../../schema/rows/model-rows.ts";
import type { ShownBudget } from "../../schema/shown/shown.ts";

/** What is left of the budgets that are configured now. */

export type BudgetSource = {
  config(): Pick<HiveConfig, "agents" | "budget">;
  now(): number;
};

/** What somebody's model calls count against; "" for what is not asked about. */
export type Spender = {
  readonly agent_id: string;
  readonly session_id: string;
  readonly run_id: string;
};

export const everybody: Spender = { agent_id: "", session_id: "", run_id: "" };

export type BudgetsOf = (
  spender: Spender,
  ...scopes: readonly BudgetScope[]
) => Promise<readonly ShownBudget[]>;

export function createBudgetsOf(read: CommittedReader, { config, now }: BudgetSource): BudgetsOf {
  return (spender, ...scopes) => {
    const { agents, budget } = config();
    const own = agents.find(({ id }) => id === spender.agent_id)?.budget ?? noBudget;
    const limits = limitsOf(own, budget.day, totalsOf(spender, now()));
    const asked = limits.filter(({ scope }) => scopes.includes(scope));
    return Promise.all(asked.map((limit) => budgetLeft(read, limit)));
  };
}

async function budgetLeft(read: CommittedReader, budget: BudgetLimit): Promise<ShownBudget> {
  const { scope, total, kind, limit } = budget;
  const unit = kind === "usd" ? 1_000_000 : 1;
  const sum = await read.get(usageTotalTable, total);
  const holds = await read.get(budgetHeldTable, total);
  const { used, held } = useIn(kind, sum, holds ?? { tokens: 0, micro_usd: 0 });
  const upTo = (await read.get(budgetAllowanceTable, total, kind))?.up_to ?? 0;
  const allowed = Math.max(0, upTo - limit);
  const left = Math.max(0, limit + allowed - used - held);
  return {
    scope,
    total,
    kind,
    limit: limit / unit,
    allowed: allowed / unit,
    used: used / unit,
    held: held / unit,
    left: left / unit,
  };
}

/** Of which less than a fifth is left. */
export function isTight({ limit, allowed, left }: ShownBudget): boolean {
  return left < (limit + allowed) / 5;
}
