import type { RowReader, RowWriter } from "../ports/store.ts";
import {
  type BudgetHeld,
  type BudgetHold,
  budgetHeldTable,
  budgetHoldTable,
} from "../schema/rows/budget-rows.ts";

/** What model calls that are under way may use: a row for each call, and one for each total that calls are held against. */

type Store = RowReader & RowWriter;

export function hold(store: Store, held: BudgetHold): void {
  store.put(budgetHoldTable, held);
  for (const total of held.totals) {
    const { holds, tokens, micro_usd } = heldAgainst(store, total);
    store.put(budgetHeldTable, {
      total,
      holds: holds + 1,
      tokens: tokens + held.tokens,
      micro_usd: micro_usd + held.micro_usd,
    });
  }
}

/** @returns what was held; undefined where nothing was */
export function release(store: Store, activity: string): BudgetHold | undefined {
  const held = store.get(budgetHoldTable, activity);
  if (held === undefined) return undefined;
  store.remove(budgetHoldTable, activity);
  for (const total of held.totals) {
    const { holds, tokens, micro_usd } = heldAgainst(store, total);
    if (holds <= 1) store.remove(budgetHeldTable, total);
    else
      store.put(budgetHeldTable, {
        total,
        holds: holds - 1,
        tokens: tokens - held.tokens,
        micro_usd: micro_usd - held.micro_usd,
      });
  }
  return held;
}

export function heldAgainst(read: RowReader, total: string): BudgetHeld {
  return read.get(budgetHeldTable, total) ?? { total, holds: 0, tokens: 0, micro_usd: 0 };
}
