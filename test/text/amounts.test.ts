import { expect, it } from "vitest";
import { spent } from "../../src/text/amounts.ts";

const usage = {
  calls: 1,
  input_tokens: 400,
  output_tokens: 50,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cost_usd: null,
  unpriced_calls: 1,
};

it("says of what is unknown what it is", () => {
  expect(spent(usage)).toBe("400 in, 50 out, cost unknown");
  expect(spent({ ...usage, cost_usd: 0.5 })).toBe("400 in, 50 out, $0.5000 + unknown");
});
