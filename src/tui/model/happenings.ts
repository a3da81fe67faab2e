import type { SidecarEvent } from "../../schema/shown/news.ts";
import type { ActorStep } from "../../schema/socket/protocol.ts";
import { Recent } from "./recent.ts";

/** One thing that happened, or several alike right after each other. */
export type Happening = {
  readonly id: string;
  /** The first of them. */
  readonly at: string;
  readonly times: number;
  readonly trace: string;
} & (
  | { readonly kind: "step"; readonly step: ActorStep }
  | { readonly kind: "event"; readonly event: SidecarEvent }
);

const remembered = 2_000;

/** Steps and events as one list, oldest first, that grows with what comes. */
export class Happenings {
  private readonly steps: Recent<ActorStep>;
  private readonly events: Recent<SidecarEvent>;
  private readonly list = new Recent<Happening>(remembered);
  private readonly seen = { steps: 0, events: 0, cleared: 0 };

  constructor(steps: Recent<ActorStep>, events: Recent<SidecarEvent>) {
    this.steps = steps;
    this.events = events;
  }

  rows(): readonly Happening[] {
    this.startAnew();
    const steps = newestOf(this.steps, this.seen.steps);
    const events = newestOf(this.events, this.seen.events);
    this.seen.steps = this.steps.added;
    this.seen.events = this.events.added;
    if (steps.length + events.length > 0) this.take(steps, events);
    return this.list.rows;
  }

  /** How many rows there ever were. */
  get added(): number {
    return this.list.added;
  }

  /** After a new attachment both begin with what is known already. */
  private startAnew(): void {
    const cleared = this.steps.cleared + this.events.cleared;
    if (cleared === this.seen.cleared) return;
    this.list.clear();
    Object.assign(this.seen, { cleared, steps: 0, events: 0 });
  }

  private take(steps: readonly ActorStep[], events: readonly SidecarEvent[]): void {
    const more = [...steps.map(ofStep), ...events.map(ofEvent)];
    if (events.length > 0) more.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    const folded: Happening[] = [];
    for (const each of more) {
      const last = folded.at(-1);
      if (last !== undefined && isRepeated(last, each))
        folded[folded.length - 1] = { ...last, times: last.times + 1 };
      else folded.push(each);
    }
    this.list.add(folded);
  }
}

function newestOf<T>({ rows, added }: Recent<T>, seen: number): readonly T[] {
  return added === seen ? [] : rows.slice(-(added - seen));
}

function ofStep(step: ActorStep): Happening {
  const { seq, at, trace } = step;
  return { kind: "step", id: `step ${seq}`, at, trace, times: 1, step };
}

function ofEvent(event: SidecarEvent): Happening {
  const { seq, at, trace_id, type } = event;
  return { kind: "event", id: `${type} ${seq}`, at, trace: trace_id, times: 1, event };
}

/** The same event to the same actor, which stayed where it was. */
function isRepeated(last: Happening, next: Happening): boolean {
  if (last.kind !== "step" || next.kind !== "step") return false;
  const signOf = ({ step }: typeof last) =>
    [step.address, step.event, step.outcome, step.state_before, step.state_after].join(" ");
  return next.step.state_before === next.step.state_after && signOf(last) === signOf(next);
}
