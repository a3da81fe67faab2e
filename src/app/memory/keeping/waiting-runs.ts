/** Ended runs that wait for the index, which may take longer for one than a run does. */

export type WaitingRunsOptions = {
  /** More are not held: `tooMany` then looks for them in the rows. */
  readonly most: number;
  readonly tooMany: () => void;
  /** Does a piece of work when those before it are done. */
  readonly inTurn: (work: () => Promise<void>) => unknown;
  /** Never rejects. */
  readonly take: (run_id: string) => Promise<void>;
};

/** @returns takes one more */
export function waitingRuns(options: WaitingRunsOptions): (run_id: string) => void {
  const { most, tooMany, inTurn, take } = options;
  const waiting = new Set<string>();
  let isTaking = false;
  const takeAll = async () => {
    for (const run_id of waiting) {
      waiting.delete(run_id);
      await take(run_id);
    }
    isTaking = false;
  };
  return (run_id) => {
    if (waiting.size >= most) {
      waiting.clear();
      tooMany();
    }
    waiting.add(run_id);
    if (isTaking) return;
    isTaking = true;
    inTurn(takeAll);
  };
}
