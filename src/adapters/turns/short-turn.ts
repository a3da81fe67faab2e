/** Between two turns of the event loop nobody else gets an answer: whoever works through many small parts without ever having to
 *  wait for one gives way after so long. */
const longestTurnMs = 15;

export class ShortTurn {
  private began: number | undefined;

  /** @returns undefined while the turn is young; else what resolves in a young one */
  giveWay(): Promise<void> | undefined {
    return this.isYoung() ? undefined : this.youngTurn();
  }

  private async youngTurn(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!this.isYoung());
  }

  private isYoung(): boolean {
    if (this.began !== undefined) return performance.now() - this.began < longestTurnMs;
    this.began = performance.now();
    setImmediate(() => (this.began = undefined));
    return true;
  }
}

/** All of what is made one at a time. */
export async function inShortTurns<Item>(items: Iterable<Item>): Promise<Item[]> {
  const turn = new ShortTurn();
  const all: Item[] = [];
  for (const item of items) {
    all.push(item);
    await turn.giveWay();
  }
  return all;
}
