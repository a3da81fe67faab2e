import { z } from "zod";

export const runLimits = z.strictObject({
  max_tool_rounds: z.int().positive(),
  max_identical_calls: z.int().positive(),
  run_timeout_ms: z.int().positive(),
  approval_timeout_ms: z.int().positive(),
});

/** What a run has until its slot brings the limits of its agent; where that agent is gone, enough for the word that says so. */
export const unpinned = {
  limits: {
    max_tool_rounds: 1,
    max_identical_calls: 1,
    run_timeout_ms: 60_000,
    approval_timeout_ms: 60_000,
  },
  remaining_ms: 60_000,
};

export type RunLimits = z.infer<typeof runLimits>;
