import { z } from "zod";
import { trust } from "./trust.ts";

/** What of a conversation a model is shown; see `HistoryCut`. */
export const cut = z.strictObject({
  from_position: z.int().nonnegative(),
  kept: z.array(z.int()),
});

/** Why a conversation is shortened between two runs: its messages are more than are shown, its tokens more than it may have, the
 *  model refused it as too long, or a person asked. */
export const compactionReasons = ["messages", "tokens", "refused", "asked"] as const;

/** What the model said of one part of what is to be left out. */
export const summarized = z.strictObject({
  summary: z.string(),
  /** For memory, each a sentence. */
  facts: z.array(z.string()),
  /** Where they go; null: nowhere. */
  partition: z.string().nullable(),
  /** It tells of the messages before this position. */
  until: z.int().nonnegative(),
});

export const sessionContext = z.strictObject({
  key: z.string(),
  address: z.string(),
  agent_id: z.string(),
  session_id: z.string(),
  queued: z.int().nonnegative(),
  queue_cap: z.int().positive(),
  /** An idle session closes after this time. */
  ttl_ms: z.int().positive(),
  /** The run that works now; `interrupted` once a message has asked for its end. */
  run: z.strictObject({ id: z.string(), address: z.string(), interrupted: z.boolean() }).nullable(),
  /** What its runs have come to know. */
  trust,
  /** Those that its row shows beside the chart's. */
  tags: z.array(z.string()),
  /** Runs that this session has begun. */
  runs: z.int().nonnegative(),
  /** While it is compacting: what is to be left out, and what was summed up of it last. */
  compaction: z
    .strictObject({
      cut,
      reason: z.enum(compactionReasons),
      /** Tokens of what is to be summed up, at most. */
      tokens: z.int().nonnegative(),
      parts: z.int().nonnegative(),
      summarized: z.strictObject({ ...summarized.shape, at: z.number() }).nullable(),
    })
    .nullable(),
});

export type SessionContext = z.infer<typeof sessionContext>;
export type Cut = z.infer<typeof cut>;
export type Summarized = z.infer<typeof summarized>;
export type CompactionReason = (typeof compactionReasons)[number];
