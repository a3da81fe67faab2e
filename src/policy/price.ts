import type { Usage } from "../schema/llm.ts";

/** What a model call costs, in millionths of a US dollar: a price for a million tokens in dollars is that of one in these. */

export type Price = {
  readonly input_usd_per_mtok: number;
  readonly output_usd_per_mtok: number;
  readonly cache_read_usd_per_mtok: number | null;
  readonly cache_write_usd_per_mtok: number | null;
};

/** What providers usually ask for input that they read from their cache, or write to it. */
const readFactor = 0.1;
const writeFactor = 1.25;

export function costOf(usage: Usage, price: Price): number {
  const { input_usd_per_mtok: input, output_usd_per_mtok: output } = price;
  const { cache_read_tokens, cache_write_tokens } = usage;
  const plain = Math.max(0, usage.input_tokens - cache_read_tokens - cache_write_tokens);
  return Math.round(
    plain * input +
      cache_read_tokens * (price.cache_read_usd_per_mtok ?? input * readFactor) +
      cache_write_tokens * (price.cache_write_usd_per_mtok ?? input * writeFactor) +
      usage.output_tokens * output,
  );
}
