import type { Log } from "../../../ports/log.ts";

const toldEveryMs = 60_000;

type Told = { at: number; since: number };

/** Refused callers in the log: each kind at once, and then at most once a minute with how many there were. */
export class RefusalCount {
  private readonly log: Log;
  private readonly now: () => number;
  private readonly kinds = new Map<string, Told>();

  /** @param now milliseconds that only go forward */
  constructor(log: Log, now: () => number) {
    this.log = log;
    this.now = now;
  }

  /** @param connector undefined: the caller asked for one that is not there */
  add(reason: string, connector: string | undefined): void {
    const kind = `${reason} ${connector ?? ""}`;
    const told = this.kinds.get(kind) ?? { at: Number.NEGATIVE_INFINITY, since: 0 };
    told.since += 1;
    this.kinds.set(kind, told);
    if (this.now() - told.at < toldEveryMs) return;
    this.log("warn", "callers of a connector were refused", {
      reason,
      count: told.since,
      ...(connector === undefined ? {} : { connector }),
    });
    told.at = this.now();
    told.since = 0;
  }
}
