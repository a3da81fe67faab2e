import type { ServiceStatus } from "../../schema/socket/protocol.ts";

type Bus = ServiceStatus["bus"];
type Sample = { readonly at: number; readonly bus: Bus };

export type KindCount = {
  readonly kind: string;
  readonly total: number;
  /** A second, between the two newest samples. */
  readonly rate: number;
};

export type Flow = {
  /** Published a second, and delivered to all who listen. */
  readonly inRate: number;
  readonly outRate: number;
  /** What waits for a listener at this moment. */
  readonly backlog: number;
  readonly drops: number;
};

/** What passes over the service's bus: its counters, and by how much they rise. */
export class Traffic {
  private newest: Sample | undefined;
  private before: Sample | undefined;

  /** Counters that have fallen are those of a service that was started anew. */
  sample(bus: Bus, at: number): void {
    const isAnew = publishedOf(bus) < publishedOf(this.newest?.bus);
    this.before = isAnew ? undefined : this.newest;
    this.newest = { at, bus };
  }

  /** The busiest kind first. */
  kinds(): KindCount[] {
    const published = this.newest?.bus.published ?? {};
    return Object.entries(published)
      .map(([kind, total]) => ({
        kind,
        total,
        rate: this.perSecond((bus) => bus.published[kind] ?? 0),
      }))
      .toSorted((a, b) => b.total - a.total || (a.kind < b.kind ? -1 : 1));
  }

  listeners(): Bus["listeners"] {
    return this.newest?.bus.listeners ?? [];
  }

  flow(): Flow {
    const listeners = this.listeners();
    return {
      inRate: this.perSecond(publishedOf),
      outRate: this.perSecond(({ listeners: all }) => sumOf(all, "delivered")),
      backlog: sumOf(listeners, "queued"),
      drops: sumOf(listeners, "dropped"),
    };
  }

  private perSecond(count: (bus: Bus) => number): number {
    const { newest, before } = this;
    if (newest === undefined || before === undefined || newest.at <= before.at) return 0;
    const more = count(newest.bus) - count(before.bus);
    return Math.max(0, (1000 * more) / (newest.at - before.at));
  }
}

function publishedOf(bus: Bus | undefined): number {
  return Object.values(bus?.published ?? {}).reduce((sum, count) => sum + count, 0);
}

function sumOf(listeners: Bus["listeners"], what: "delivered" | "queued" | "dropped"): number {
  return listeners.reduce((sum, listener) => sum + listener[what], 0);
}
