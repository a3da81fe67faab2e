import type { BudgetKind } from "../budget.ts";
import type { Table } from "./table.ts";

/** Rows of budgets, which only exist where limits are configured. Money is in millionths of a US dollar, times are milliseconds. */

/** What one model call that is under way may use at most; goes as it ends. */
export type BudgetHold = {
  /** The activity's key: one for all its attempts, of which one at a time is under way. */
  activity: string;
  /** `provider/model` */
  model: string;
  input_tokens: number;
  tokens: number;
  micro_usd: number;
  /** The totals that it counts against. */
  totals: readonly string[];
};

export const budgetHoldTable: Table<BudgetHold> = {
  name: "budget_holds",
  columns: {
    activity: "text",
    model: "text",
    input_tokens: "integer",
    tokens: "integer",
    micro_usd: "integer",
    totals: "json",
  },
  key: ["activity"],
  indexes: {},
};

/** The holds against one total, added up; no row where there is none. */
export type BudgetHeld = { total: string; holds: number; tokens: number; micro_usd: number };

export const budgetHeldTable: Table<BudgetHeld> = {
  name: "budget_held",
  columns: { total: "text", holds: "integer", tokens: "integer", micro_usd: "integer" },
  key: ["total"],
  indexes: {},
};

/** A person let somebody go on beyond a limit. */
export type BudgetAllowance = {
  total: string;
  kind: BudgetKind;
  /** It may use as much as this in all, whatever its limit is; filled in as the row is written. */
  up_to: number;
  /** What was allowed from that moment on. */
  more: number;
  approval_id: string;
  given_by: string;
  given_at: number;
};

export const budgetAllowanceTable: Table<BudgetAllowance> = {
  name: "budget_allowances",
  columns: {
    total: "text",
    kind: "text",
    up_to: "integer",
    more: "integer",
    approval_id: "text",
    given_by: "text",
    given_at: "integer",
  },
  key: ["total", "kind"],
  indexes: { by_given: { equals: [], order: ["given_at"] } },
};
