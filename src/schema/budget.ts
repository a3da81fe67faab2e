import { z } from "zod";

/** The words of budgets: what may be used, and by whom. */

export type Amounts = { readonly tokens: number | null; readonly usd: number | null };

export const noAmounts: Amounts = { tokens: null, usd: null };

/** What one configuration says of an agent: of each of its runs and sessions, and of itself in a day (UTC). */
export type AgentBudget = {
  readonly run: Amounts;
  readonly session: Amounts;
  readonly day: Amounts;
};

export const noBudget: AgentBudget = { run: noAmounts, session: noAmounts, day: noAmounts };

/** Whose use is limited; `day` is that of the whole service. */
export const budgetScopes = ["run", "session", "agent_day", "day"] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** What is counted: tokens, or millionths of a US dollar. `unpriced`: money, where the model's price is not known. */
export const budgetKinds = ["tokens", "usd", "unpriced"] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Why a model was not asked: the budget that this call might not fit into. */
export const overBudget = z.strictObject({
  scope: z.enum(budgetScopes),
  /** The name of its usage total: `session/s3`, `agent/main/day/2026-01-31`. */
  total: z.string(),
  kind: z.enum(budgetKinds),
  limit: z.int().nonnegative(),
  /** With what people have allowed beyond the limit. */
  up_to: z.int().nonnegative(),
  used: z.int().nonnegative(),
  /** For calls that are under way. */
  held: z.int().nonnegative(),
  /** What this call may use at most. */
  needed: z.int().nonnegative(),
  /** `provider/model` */
  model: z.string(),
});
export type OverBudget = z.infer<typeof overBudget>;

/** What the activity's refusal says of it, with who may let the run go on. */
export const budgetRefusal = z.object({ over: overBudget, approvers: z.array(z.string()) });
export type BudgetRefusal = z.infer<typeof budgetRefusal>;
