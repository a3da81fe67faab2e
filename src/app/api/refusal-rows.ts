import type { Clock } from "../../ports/clock.ts";

/** Of refusals in one minute, so many leave a row of their own, and the others are counted in one: the audit is kept for good, so
 *  that a client that sends without end must not fill it. */

const mostRows = 60;
const windowMs = 60_000;

export type RefusalRowsOptions = {
  readonly clock: Clock;
  /** Writes the row that stands for so many refusals. */
  readonly sumUp: (refusals: number) => Promise<void>;
};

export class RefusalRows {
  private readonly options: RefusalRowsOptions;
  private isOpen = false;
  private rows = 0;
  private unwritten = 0;

  constructor(options: RefusalRowsOptions) {
    this.options = options;
  }

  hasRoom(): boolean {
    return this.rows < mostRows;
  }

  /** @param hasRow whether what was refused has a row */
  count(hasRow: boolean, refusals = 1): void {
    if (hasRow) this.rows += refusals;
    else this.unwritten += refusals;
    if (this.isOpen) return;
    this.isOpen = true;
    this.options.clock.after(windowMs, () => this.close());
  }

  private close(): void {
    const refusals = this.unwritten;
    this.isOpen = false;
    this.rows = 0;
    this.unwritten = 0;
    if (refusals === 0) return;
    this.options.sumUp(refusals).catch(() => this.count(false, refusals));
  }
}
