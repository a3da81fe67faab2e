import { z } from "zod";
import { isoTime } from "./shown.ts";

/** What a running service counts and remembers of itself since its start, in memory. */

export const alert = z.strictObject({
  at: isoTime,
  kind: z.enum([
    "approval.needed",
    "task.failed",
    "crash_loop",
    "actor.set_aside",
    "connector.stopped",
    "delivery.failed",
    "group.moved",
    "pairing.requested",
    "memory.not_written",
    "consolidation.failed",
    "embedder.silent",
    "embedder.healed",
    "engine.degraded",
    "engine.healed",
  ]),
  message: z.string(),
  trace_id: z.string().nullable(),
  run_id: z.string().nullable(),
  approval_id: z.string().nullable(),
});

export const shownHistogram = z.strictObject({
  count: z.int(),
  mean_ms: z.number(),
  max_ms: z.number(),
  buckets: z
    .array(z.strictObject({ up_to_ms: z.int().nullable(), count: z.int() }))
    .readonly()
    .describe("The last one, without a bound, holds what took longer."),
});

export const shownMetrics = z.strictObject({
  events: z.record(z.string(), z.int()),
  tools: z
    .array(z.strictObject({ tool: z.string(), done: z.int(), failed: z.int(), cancelled: z.int() }))
    .readonly(),
  tokens: z.strictObject({ input_tokens: z.int(), output_tokens: z.int() }),
  run_duration: shownHistogram,
  tool_duration: shownHistogram,
});

export const shownBus = z.strictObject({
  published: z.record(z.string(), z.int()).describe("By kind."),
  listeners: z
    .array(
      z.strictObject({
        name: z.string(),
        listening: z.int().describe("How many listen under this name now."),
        queued: z.int(),
        delivered: z.int(),
        dropped: z.int(),
        failed: z.int(),
      }),
    )
    .readonly(),
});

export const logHealth = z
  .strictObject({ lost: z.int() })
  .describe(
    "Lines that the log's file did not take, because the disk was full or the folder gone.",
  );

export type Alert = z.output<typeof alert>;
export type ShownHistogram = z.output<typeof shownHistogram>;
export type ShownMetrics = z.output<typeof shownMetrics>;
