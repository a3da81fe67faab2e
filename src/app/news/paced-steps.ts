import type { Clock } from "../../ports/clock.ts";
import type { NewsBus, Stepped } from "./news.ts";

export type Batch = {
  /** Oldest first. */
  readonly steps: readonly Stepped[];
  /** Older ones that are missing. */
  readonly dropped: number;
};

export type Watching = {
  /** Under which the bus counts them. */
  readonly name: string;
  wants(address: string): boolean;
  /** The next batch waits until this one's promise has settled. */
  tell(batch: Batch): Promise<void>;
};

/** Between two batches: at most 20 a second. */
const paceMs = 50;
const batchSize = 500;
/** Steps that wait beside a batch that is full; the oldest are dropped. */
const waitingSteps = 1_000;

/** Committed steps for one who watches, in batches. Whoever reads slowly gets fewer of them, and a bounded queue waits.
 *  @returns ends it */
export function followSteps(bus: NewsBus, clock: Clock, watching: Watching): () => void {
  const paced = new PacedSteps(clock, watching);
  const leave = bus.subscribe({
    name: watching.name,
    capacity: waitingSteps,
    wants: (news) => news.type === "actor.stepped" && watching.wants(news.address),
    hear: (news) => (news.type === "actor.stepped" ? paced.add(news) : undefined),
    lagged: (dropped) => paced.miss(dropped),
  });
  return () => {
    leave();
    paced.end();
  };
}

class PacedSteps {
  private readonly clock: Clock;
  private readonly watching: Watching;
  private steps: Stepped[] = [];
  private dropped = 0;
  /** Resolves when the batch that is being put together is told. */
  private due: Promise<void> | undefined;
  private cancel = () => {};

  constructor(clock: Clock, watching: Watching) {
    this.clock = clock;
    this.watching = watching;
  }

  add(stepped: Stepped): Promise<void> | void {
    this.steps.push(stepped);
    const told = this.plan();
    return this.steps.length < batchSize ? undefined : told;
  }

  miss(dropped: number): void {
    this.dropped += dropped;
    void this.plan();
  }

  end(): void {
    this.cancel();
    this.steps = [];
  }

  private plan(): Promise<void> {
    this.due ??= new Promise<void>((resolve) => {
      this.cancel = this.clock.after(paceMs, resolve);
    }).then(() => this.tell());
    return this.due;
  }

  /** What could not be told, because rows could not be read, is told as missing with the next batch. */
  private async tell(): Promise<void> {
    const { steps, dropped } = this;
    this.steps = [];
    this.dropped = 0;
    try {
      await this.watching.tell({ steps, dropped });
    } catch {
      this.dropped += steps.length + dropped;
    }
    this.due = undefined;
    if (this.steps.length > 0 || this.dropped > 0) void this.plan();
  }
}
