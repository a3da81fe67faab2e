import type { ShownBudget, ShownUsage } from "../schema/shown/shown.ts";

/** Tokens and money as people read them. */

const counts = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `12.3K` */
export function tokens(count: number): string {
  return counts.format(count);
}

/** `$0.0123`; what has no price is unknown, never nothing. */
export function cost({ cost_usd, unpriced_calls }: ShownUsage): string {
  if (cost_usd === null) return "unknown";
  const known = money(cost_usd);
  return unpriced_calls > 0 ? `${known} + unknown` : known;
}

function money(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd < 0.01 ? usd.toFixed(6).replace(/0+$/, "") : usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** `12.3K in (10K from the cache), 800 out, $0.0123` */
export function spent(usage: ShownUsage): string {
  const { input_tokens, output_tokens, cache_read_tokens } = usage;
  const cached = cache_read_tokens === 0 ? "" : ` (${tokens(cache_read_tokens)} from the cache)`;
  const paid = usage.cost_usd === null ? "cost unknown" : cost(usage);
  return `${tokens(input_tokens)} in${cached}, ${tokens(output_tokens)} out, ${paid}`;
}

/** `$4.10 of $5 used, $0.30 held, $0.60 left` */
export function budgetText({ kind, limit, allowed, used, held, left }: ShownBudget): string {
  const amount = kind === "usd" ? money : tokens;
  const unit = kind === "usd" ? "" : " tokens";
  return [
    `${amount(used)} of ${amount(limit)}${unit} used`,
    ...(allowed === 0 ? [] : [`${amount(allowed)} more allowed`]),
    ...(held === 0 ? [] : [`${amount(held)} held`]),
    `${amount(left)} left`,
  ].join(", ");
}
