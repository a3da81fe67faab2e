import type { App } from "../app/app.ts";
import { throttled } from "../app/timers.ts";

const askEveryMs = 200;

export type RecordLimits = {
  /** Of answers. */
  readonly kept: number;
  /** Of wishes: what was in sight only while somebody went past it is not asked for. */
  readonly wanted: number;
};

const usualLimits: RecordLimits = { kept: 200, wanted: 20 };

type Known<T> = { readonly sign: string; readonly value: T | undefined };

/** What the service says of single things, by id: drawn as far as it is known, asked for seldom and one after the other. */
export class Records<T> {
  /** Rises with each answer. */
  version = 0;
  private readonly app: App;
  private readonly ask: (id: string) => Promise<T | undefined>;
  private readonly kept = new Map<string, Known<T>>();
  /** The sign for which each is asked, the one that was looked at last at the end. */
  private readonly wanted = new Map<string, string>();
  private readonly askSoon: () => void;
  private readonly limits: RecordLimits;
  private lastAsked = "";
  private isAsking = false;

  constructor(app: App, ask: (id: string) => Promise<T | undefined>, limits = usualLimits) {
    this.app = app;
    this.limits = limits;
    this.ask = ask;
    this.askSoon = throttled(app.timers, askEveryMs, () => void this.askNext());
  }

  /** What is known of it, maybe from before.
   *  @param sign another one than the last time: it has changed and is asked for anew */
  get(id: string, sign: string): T | undefined {
    const found = this.kept.get(id);
    if (found?.sign !== sign) this.want(id, sign);
    return found?.value;
  }

  private want(id: string, sign: string): void {
    this.wanted.delete(id);
    this.wanted.set(id, sign);
    dropOldest(this.wanted, this.limits.wanted);
    this.askSoon();
  }

  private async askNext(): Promise<void> {
    const id = this.next();
    if (id === undefined || this.isAsking || this.app.model.detachedAt !== null) return;
    const sign = this.wanted.get(id) ?? "";
    this.wanted.delete(id);
    this.lastAsked = id;
    this.isAsking = true;
    const before = this.kept.get(id)?.value;
    const value = await this.ask(id).catch(() => before);
    this.isAsking = false;
    this.kept.delete(id);
    this.kept.set(id, { sign, value });
    dropOldest(this.kept, this.limits.kept);
    this.version += 1;
    this.app.changed();
    if (this.wanted.size > 0) this.askSoon();
  }

  /** The newest wish; but one that changes all the time lets the others have their turn. */
  private next(): string | undefined {
    const ids = [...this.wanted.keys()];
    return ids.findLast((id) => id !== this.lastAsked) ?? ids[0];
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const id of map.keys()) {
    if (map.size <= most) return;
    map.delete(id);
  }
}
