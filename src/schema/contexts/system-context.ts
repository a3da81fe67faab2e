import { z } from "zod";
import { json } from "./context-shapes.ts";

export const systemContext = z.strictObject({
  children: z.array(
    z.strictObject({
      id: z.string(),
      machine: z.string(),
      input: json,
      restart: z.enum(["permanent", "transient", "temporary"]),
    }),
  ),
  max_restarts: z.int().nonnegative(),
  within_ms: z.int().positive(),
  backoff_ms: z.int().nonnegative(),
  /** When which child was restarted, within the window. */
  restarts: z.array(z.strictObject({ address: z.string(), at: z.number() })),
  /** What was given up or set aside, newest last, at most 20. */
  failures: z.array(z.strictObject({ address: z.string(), message: z.string(), at: z.number() })),
  tags: z.array(z.string()),
});

export type SystemContext = z.infer<typeof systemContext>;
