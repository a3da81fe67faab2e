import type { Clock } from "../../../ports/clock.ts";
import type { IndexStats, MemoryIndex } from "../../../ports/memory-index.ts";
import type { NewsBus } from "../../news/news.ts";

export type WatchEmbedderOptions = {
  readonly index: Pick<MemoryIndex, "stats">;
  readonly clock: Clock;
  readonly bus: Pick<NewsBus, "publish">;
};

const lookMs = 60_000;
/** An embedder that is gone for less long is asked again by itself, and nobody needs to know. */
const longMs = 10 * 60_000;

/** Tells once that memories have no vectors since nobody makes them, and once that they have.   @returns ends it */
export function watchEmbedder({ index, clock, bus }: WatchEmbedderOptions): () => void {
  let since: number | null = null;
  let isTold = false;
  let isEnded = false;
  let cancel: (() => void) | undefined;
  const tell = (trouble: string | null) => {
    isTold = trouble !== null;
    bus.publish({ type: "memory.embedder", trouble });
  };
  const hear = (stats: IndexStats) => {
    if (isEnded) return;
    const trouble = troubleIn(stats);
    if (trouble === null) since = null;
    else since ??= clock.now();
    const isLong = since !== null && clock.now() - since >= longMs;
    if (isLong !== isTold) tell(isLong ? trouble : null);
  };
  const look = () => {
    cancel = clock.after(lookMs, look);
    index.stats().then(hear, () => {}); // an index that cannot be read has said so itself
  };
  look();
  return () => {
    isEnded = true;
    cancel?.();
  };
}

/** One question that found nobody is no trouble while all that is remembered has its vectors. */
function troubleIn({ chunks, embedded, trouble }: IndexStats): string | null {
  return embedded < chunks ? trouble : null;
}
