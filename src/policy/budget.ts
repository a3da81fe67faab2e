import {
  type AgentBudget,
  type Amounts,
  type BudgetScope,
  budgetScopes,
  type OverBudget,
} from "../schema/budget.ts";

/** Whether a model call fits into the budgets that it counts against. */

export type BudgetLimit = {
  readonly scope: BudgetScope;
  readonly total: string;
  readonly kind: "tokens" | "usd";
  /** Tokens, or millionths of a US dollar. */
  readonly limit: number;
};

/** What the call may use at most; `micro_usd` is null where the model has no price. */
export type Need = {
  readonly model: string;
  readonly tokens: number;
  readonly micro_usd: number | null;
};

export type Use = { readonly used: number; readonly held: number; readonly upTo: number };

export type Budgets = {
  readonly limits: readonly BudgetLimit[];
  readonly need: Need;
  /** A person let this run go on with a model whose price nobody knows. */
  readonly mayBeUnpriced: boolean;
  readonly useOf: (limit: BudgetLimit) => Use;
};

/** The first budget that the call might not fit into. */
export function exceeded({ limits, need, mayBeUnpriced, useOf }: Budgets): OverBudget | undefined {
  for (const one of limits) {
    const { kind, limit, scope, total } = one;
    const needed = kind === "tokens" ? need.tokens : need.micro_usd;
    const about = { scope, total, limit, model: need.model };
    if (needed === null && mayBeUnpriced) continue;
    if (needed === null)
      return { ...about, kind: "unpriced", up_to: limit, used: 0, held: 0, needed: 0 };
    const { used, held, upTo } = useOf(one);
    const up_to = Math.max(limit, upTo);
    if (used + held + needed > up_to) return { ...about, kind, up_to, used, held, needed };
  }
  return undefined;
}

/** As much again as the limit, and at least what the call needs that was asked about. */
export function allowedMore({ limit, needed }: OverBudget): number {
  return Math.max(limit, needed);
}

/** Where a budget has changed since the run began, what is less holds. */
export function stricterBudget(pinned: AgentBudget, live: AgentBudget): AgentBudget {
  if (pinned === live) return live;
  return {
    run: lessOf(pinned.run, live.run),
    session: lessOf(pinned.session, live.session),
    day: lessOf(pinned.day, live.day),
  };
}

function lessOf(one: Amounts, other: Amounts): Amounts {
  return { tokens: less(one.tokens, other.tokens), usd: less(one.usd, other.usd) };
}

function less(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** @param day what the whole service may use in a day
 *  @param totals the names of the usage totals that count */
export function limitsOf(
  agent: AgentBudget,
  day: Amounts,
  totals: { readonly [scope in BudgetScope]: string },
): readonly BudgetLimit[] {
  const amounts = { run: agent.run, session: agent.session, agent_day: agent.day, day };
  return budgetScopes.flatMap((scope): BudgetLimit[] => {
    const { tokens, usd } = amounts[scope];
    const total = totals[scope];
    return [
      ...(tokens === null ? [] : [{ scope, total, kind: "tokens", limit: tokens } as const]),
      ...(usd === null ? [] : [{ scope, total, kind: "usd", limit: microUsd(usd) } as const]),
    ];
  });
}

function microUsd(usd: number): number {
  return Math.round(usd * 1_000_000);
}
