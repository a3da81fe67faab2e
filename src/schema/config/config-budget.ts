import { z } from "zod";

/** The shape of what somebody may use. */

export function amounts(what: string) {
  return z
    .strictObject({
      tokens: z
        .int()
        .min(1)
        .max(1_000_000_000)
        .nullable()
        .default(null)
        .describe(`Tokens of input and output that ${what} may use; null: any number.`),
      usd: z
        .number()
        .min(0)
        .max(1_000_000)
        .nullable()
        .default(null)
        .describe(`US dollars that ${what} may cost, by \`prices\`; null: any sum.`),
    })
    .prefault({})
    .describe(`What ${what} may use.`);
}
