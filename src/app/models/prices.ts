import { costOf, type Price } from "../../policy/price.ts";
import type { ModelProvider } from "../../ports/model.ts";
import type { Usage } from "../../schema/llm.ts";

/** From `provider/model` and what it used to millionths of a US dollar; null where the configuration has no price. */
export type Costs = (model: string, usage: Usage) => number | null;

export function createCosts(
  prices: { readonly [model: string]: Price },
  providers: readonly ModelProvider[],
): Costs {
  const free = new Set(providers.filter(({ isFree }) => isFree === true).map(({ id }) => id));
  return (model, usage) => {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (price !== undefined) return costOf(usage, price);
    return free.has(model.split("/", 1)[0] ?? "") ? 0 : null;
  };
}
