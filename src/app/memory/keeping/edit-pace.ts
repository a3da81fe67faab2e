/** So many saves in a row are all kept; then ever fewer. */
const keptInARow = 20;
const firstRestMs = 1_000;
/** One that nobody saves for so long begins anew. */
const longestRestMs = 600_000;

/** `count`: of those kept in a row. */
type Kept = { readonly hash: string | null; readonly at: number; readonly count: number };

/** How often what people save into one file becomes a version: a script that saves without end is to fill no disk. What waits for its
 *  turn is kept with it, as it is by then; whoever else writes to the file keeps it before. */
export class EditPace {
  private readonly kept = new Map<string, Kept>();
  private readonly waiting = new Set<string>();

  /** False: it waits. @param hash what the file holds now */
  mayKeep(path: string, hash: string | null, now: number): boolean {
    const last = this.kept.get(path);
    if (last?.hash === hash) return true;
    const isResting = last !== undefined && now < last.at + restMs(last);
    if (isResting) {
      this.waiting.add(path);
      return false;
    }
    const count = last === undefined || isIdle(last, now) ? 1 : last.count + 1;
    this.kept.set(path, { hash, at: now, count });
    this.waiting.delete(path);
    return true;
  }

  /** It holds what was noted of it. */
  isKept(path: string): void {
    this.waiting.delete(path);
  }

  /** Those whose turn it may be. */
  due(): readonly string[] {
    return [...this.waiting];
  }

  /** Files that nobody saves any more need no pace. */
  forgetIdle(now: number): void {
    for (const [path, last] of this.kept) if (isIdle(last, now)) this.kept.delete(path);
  }
}

function restMs({ count }: Kept): number {
  if (count < keptInARow) return 0;
  return Math.min(firstRestMs * 2 ** (count - keptInARow), longestRestMs);
}

function isIdle(kept: Kept, now: number): boolean {
  return now >= kept.at + restMs(kept) + longestRestMs;
}
