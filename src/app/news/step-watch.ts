import type { Clock } from "../../ports/clock.ts";
import type { NewsBus, Stepped } from "./news.ts";
import { type Paced, PacedWatch } from "./paced-watch.ts";

export type StepWatchOptions<T> = {
  /** Under which the bus counts them; names are few and fixed. */
  readonly name: string;
  readonly wants: (address: string) => boolean;
  /** What is kept of a step until it is told. */
  readonly keep: (stepped: Stepped) => T;
  readonly tell: (paced: Paced<T>) => Promise<void>;
};

/** Of one turn of the event loop: a watch takes them up at once. */
const mostAtOnce = 2_000;

export type StepWatch = {
  /** @param knownSeq the newest step that the client was told of by other means, or 0 */
  begin(knownSeq: number): void;
  stop(): void;
};

/** Committed steps for one client that watches, at a pace and in an amount that harms nobody. */
export function watchSteps<T extends { readonly seq: number }>(
  { bus, clock }: { readonly bus: NewsBus; readonly clock: Clock },
  { name, wants, keep, tell }: StepWatchOptions<T>,
): StepWatch {
  const watch = new PacedWatch<T>({ clock, seqOf: ({ seq }) => seq, tell });
  const leave = bus.subscribe({
    name,
    capacity: mostAtOnce,
    wants: (news) => news.type === "actor.stepped" && wants(news.address),
    hear: (news) => {
      if (news.type === "actor.stepped") watch.hear(keep(news));
    },
    lagged: (dropped) => watch.lose(dropped),
  });
  return {
    begin: (knownSeq) => watch.begin(knownSeq),
    stop() {
      leave();
      watch.close();
    },
  };
}
