import type { Listener } from "./listener.ts";
import { Outlet, type Tally } from "./outlet.ts";

export type ListenerCounters = {
  readonly name: string;
  /** How many listen under this name now. */
  readonly listening: number;
  readonly queued: number;
  readonly delivered: number;
  readonly dropped: number;
  readonly failed: number;
};

export type BusCounters = {
  readonly published: { readonly [kind: string]: number };
  readonly listeners: readonly ListenerCounters[];
};

/** A fan-out beside the main path: who publishes never waits and never learns who listens.
 *
 *  At most once, in the order in which it was published, to whoever listens at that moment; a listener that does not keep up
 *  loses its oldest news, and is told how many. Neither call needs an answer from the other side, so that a broker (NATS
 *  subjects, Redis channels) can stand behind it: its client buffers what is published, and bounds each subscription. */
export type Bus<N> = {
  publish(news: N): void;
  /** @returns ends it; what still waits for the listener is forgotten */
  subscribe(listener: Listener<N>): () => void;
  counters(): BusCounters;
};

export type BusOptions<N> = {
  /** Under which name the news are counted; names are few and fixed. */
  readonly kindOf: (news: N) => string;
  /** Two neighbours in a queue as one, so that they need one place in it; undefined where they stay apart. */
  readonly merge?: (older: N, newer: N) => N | undefined;
};

export function createBus<N>({ kindOf, merge = () => undefined }: BusOptions<N>): Bus<N> {
  const published = new Map<string, number>();
  const tallies = new Map<string, Tally>();
  const outlets = new Map<Outlet<N>, string>();
  return {
    publish(news) {
      const kind = kindOf(news);
      published.set(kind, (published.get(kind) ?? 0) + 1);
      for (const outlet of outlets.keys()) outlet.offer(news);
    },
    subscribe(listener) {
      const { name } = listener;
      const tally = tallies.get(name) ?? { delivered: 0, dropped: 0, failed: 0 };
      tallies.set(name, tally);
      const outlet = new Outlet({ listener, tally, merge });
      outlets.set(outlet, name);
      return () => {
        outlet.close();
        outlets.delete(outlet);
      };
    },
    counters: () => ({
      published: Object.fromEntries(published),
      listeners: [...tallies].map(([name, tally]) => {
        const live = [...outlets].filter(([, of]) => of === name).map(([outlet]) => outlet);
        const queued = live.reduce((sum, outlet) => sum + outlet.queued, 0);
        return { name, listening: live.length, queued, ...tally };
      }),
    }),
  };
}
