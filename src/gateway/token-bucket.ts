import type { RateBucket } from "../schema/rows/channel-rows.ts";
import type { RateLimit } from "./judged.ts";

/** Tokens over time. A clock that was set back refills nothing, and the bucket goes on from the new time. */

const minuteMs = 60_000;
/** Shares of tokens are added up: what is this near to a whole one is one. */
const nearlyOne = 1 - 1e-6;

export function fullBucket(owner: string, { capacity }: RateLimit, at: number): RateBucket {
  return { owner, tokens: capacity, at, refused: 0, told_at: null };
}

export function refilled(bucket: RateBucket, limit: RateLimit, at: number): RateBucket {
  const elapsedMs = Math.max(0, at - bucket.at);
  const added = (elapsedMs * limit.refill_per_minute) / minuteMs;
  return { ...bucket, tokens: Math.min(limit.capacity, bucket.tokens + added), at };
}

export function hasToken({ tokens }: RateBucket): boolean {
  return tokens >= nearlyOne;
}

export function takeToken(bucket: RateBucket): RateBucket {
  return { ...bucket, tokens: Math.max(0, bucket.tokens - 1) };
}

export function msUntilToken({ tokens }: RateBucket, { refill_per_minute }: RateLimit): number {
  return Math.max(0, Math.ceil(((1 - tokens) * minuteMs) / refill_per_minute));
}

/** Whether its owner may be told again. A time to come is one that the clock has left behind. */
export function isDue({ told_at }: RateBucket, at: number, everyMs: number): boolean {
  return told_at === null || told_at > at || at - told_at >= everyMs;
}
