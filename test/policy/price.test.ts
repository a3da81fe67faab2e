import { expect, it } from "vitest";
import { costOf } from "../../src/policy/price.ts";
import { createCosts } from "../../src/app/models/prices.ts";
import { createOfflineProvider } from "../../src/adapters/model/offline/offline-provider.ts";

const price = {
  input_usd_per_mtok: 2,
  output_usd_per_mtok: 10,
  cache_read_usd_per_mtok: null,
  cache_write_usd_per_mtok: null,
};
const used = {
  input_tokens: 1_000_000,
  output_tokens: 100_000,
  cache_read_tokens: 600_000,
  cache_write_tokens: 200_000,
};

it("takes a tenth for what was read from the cache and a quarter more for what was written to it", () => {
  expect(costOf(used, price)).toBe(400_000 + 120_000 + 500_000 + 1_000_000);
});

it("takes the cache's own prices where there are some", () => {
  const own = { ...price, cache_read_usd_per_mtok: 1, cache_write_usd_per_mtok: 0 };
  expect(costOf(used, own)).toBe(400_000 + 600_000 + 0 + 1_000_000);
});

it("is unknown for a model without a price, and nothing for the offline model", () => {
  const cost = createCosts({ "a/b": price }, [createOfflineProvider()]);
  expect(cost("a/b", used)).toBe(2_020_000);
  expect(cost("a/c", used)).toBeNull();
  expect(cost("constructor", used)).toBeNull();
  expect(cost("offline/rules", used)).toBe(0);
});
