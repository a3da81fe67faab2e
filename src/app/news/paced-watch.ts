import type { Clock } from "../../ports/clock.ts";

export type Paced<T> = {
  /** Oldest first. */
  readonly news: readonly T[];
  /** So many were left out; then there is no other news, and the client is to be told how things are. */
  readonly dropped: number;
};

export type PacedWatchOptions<T> = {
  readonly clock: Clock;
  /** The step that it tells of. */
  readonly seqOf: (news: T) => number;
  /** Resolves when the client has read it, but for a little; what it rejects with was not told. */
  readonly tell: (paced: Paced<T>) => Promise<void>;
};

/** Between two tellings: at most 20 a second. */
const pauseMs = 50;
const untellableMs = 1_000;

/** News that may wait. When there are more, none is kept: the client is told how things are once it reads again. */
const mostNews = 1_000;

/** What one client is told of steps: what happened within a pause at once, and what happens after a quiet time immediately.
 *  Nothing is told before `begin`. */
export class PacedWatch<T> {
  private readonly options: PacedWatchOptions<T>;
  private news: T[] = [];
  /** What the client does not hear of, since it was last told of such. */
  private lost = 0;
  private isTelling = true;
  private isClosed = false;
  /** Steps up to it are known to the client. */
  private knownSeq = 0;
  private notBefore = 0;
  private cancelTimer: (() => void) | undefined;

  constructor(options: PacedWatchOptions<T>) {
    this.options = options;
  }

  /** @param knownSeq the newest step that the client was told of by other means, or 0 */
  begin(knownSeq: number): void {
    this.knownSeq = knownSeq;
    this.news = this.news.filter((news) => this.options.seqOf(news) > knownSeq);
    this.goOn();
  }

  hear(news: T): void {
    if (this.options.seqOf(news) <= this.knownSeq) return;
    if (this.lost > 0) return this.lose(1);
    this.news.push(news);
    if (this.news.length > mostNews) return this.lose(0);
    this.tellSoon();
  }

  /** @param count of news that were not heard at all */
  lose(count: number): void {
    this.lost += this.news.length + count;
    this.news = [];
    this.tellSoon();
  }

  close(): void {
    this.isClosed = true;
    this.cancelTimer?.();
    this.news = [];
  }

  private tellSoon(): void {
    if (this.isClosed || this.isTelling || this.cancelTimer !== undefined) return;
    const { clock } = this.options;
    this.cancelTimer = clock.after(Math.max(0, this.notBefore - clock.monotonic()), () => {
      this.cancelTimer = undefined;
      void this.tell();
    });
  }

  /** What happens while it is told waits for the next time. */
  private async tell(): Promise<void> {
    this.isTelling = true;
    this.notBefore = this.options.clock.monotonic() + pauseMs;
    const paced = { news: this.news, dropped: this.lost };
    this.news = [];
    this.lost = 0;
    try {
      await this.options.tell(paced);
    } catch {
      this.notBefore = this.options.clock.monotonic() + untellableMs;
      this.lose(paced.news.length + paced.dropped);
    }
    this.goOn();
  }

  private goOn(): void {
    this.isTelling = false;
    if (this.lost > 0 || this.news.length > 0) this.tellSoon();
  }
}
