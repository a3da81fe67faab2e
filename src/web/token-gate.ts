import { createHash, timingSafeEqual } from "node:crypto";

/** How many wrong tokens are looked at before they are refused unseen, and how soon one more is. */
const bucket = { size: 10, refillMs: 6_000 } as const;

export type Admission =
  | { readonly admitted: true }
  /** `waitMs`: when the next wrong one would be looked at; 0: now. */
  | { readonly admitted: false; readonly waitMs: number };

/** Who knows the token may come in. Wrong ones share one bucket, whatever address they come from. */
export class TokenGate {
  private readonly digest: Buffer;
  private readonly now: () => number;
  private tries: number = bucket.size;
  private refilledAt: number;

  /** @param now milliseconds that only go forward */
  constructor(token: string, now: () => number) {
    this.digest = digestOf(token);
    this.now = now;
    this.refilledAt = now();
  }

  admit(authorization: string | undefined): Admission {
    const given = /^Bearer ([\w-]{1,128})$/.exec(authorization ?? "")?.[1] ?? "";
    if (timingSafeEqual(digestOf(given), this.digest)) return { admitted: true };
    this.refill();
    if (this.tries < 1) {
      return { admitted: false, waitMs: this.refilledAt + bucket.refillMs - this.now() };
    }
    this.tries -= 1;
    return { admitted: false, waitMs: 0 };
  }

  private refill(): void {
    const refills = Math.floor((this.now() - this.refilledAt) / bucket.refillMs);
    this.tries = Math.min(bucket.size, this.tries + refills);
    this.refilledAt += refills * bucket.refillMs;
  }
}

/** Digests have one length, whatever was given. */
function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
