import type { RowReader } from "../ports/store.ts";
import { type RateBucket, rateBucketTable } from "../schema/rows/channel-rows.ts";
import type { RateLimit } from "./judged.ts";
import { fullBucket, refilled } from "./token-bucket.ts";

/** The buckets of a batch: as their rows say, filled up to now, with what the batch has changed so far. */
export class BucketBook {
  private readonly open = new Map<string, RateBucket>();
  private readonly changed = new Set<string>();
  private readonly read: RowReader;
  private readonly at: number;

  constructor(read: RowReader, at: number) {
    this.read = read;
    this.at = at;
  }

  of(owner: string, limit: RateLimit): RateBucket {
    const known = this.open.get(owner);
    if (known !== undefined) return known;
    const row = this.read.get(rateBucketTable, owner);
    const bucket =
      row === undefined ? fullBucket(owner, limit, this.at) : refilled(row, limit, this.at);
    this.open.set(owner, bucket);
    return bucket;
  }

  put(bucket: RateBucket): void {
    this.open.set(bucket.owner, bucket);
    this.changed.add(bucket.owner);
  }

  rows(): RateBucket[] {
    return [...this.open.values()].filter(({ owner }) => this.changed.has(owner));
  }
}
