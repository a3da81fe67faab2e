import { z } from "zod";

/** The shape of `gateway` in config/main.yaml: how much comes in from outside. */

function limit(
  most: number,
  usual: { readonly capacity: number; readonly refill: number },
  who: string,
) {
  return z
    .strictObject({
      capacity: z
        .int()
        .min(1)
        .max(most)
        .default(usual.capacity)
        .describe(`Messages that ${who} may send at once.`),
      refill_per_minute: z
        .number()
        .min(0.01)
        .max(most)
        .default(usual.refill)
        .describe(`Messages a minute that ${who} may send in the long run.`),
    })
    .prefault({});
}

export const gateway = z
  .strictObject({
    rate_limit: limit(10_000, { capacity: 20, refill: 20 }, "one user").describe(
      "How much one user may send; taps on buttons and `/stop` count apart, and five times as many are taken.",
    ),
    global_rate_limit: limit(
      100_000,
      { capacity: 200, refill: 600 },
      "all users together",
    ).describe("How much all users of all connectors may send together."),
  })
  .prefault({})
  .describe("The door for messages from connectors.");
