import type { Key } from "../screen.ts";

/** Which of many rows is chosen, and which of them are in sight. The choice is of an id, so that it stays on its row while
 *  others come and go. */
export class RowCursor<T> {
  private readonly idOf: (row: T) => string;
  private chosenId: string | undefined;
  private index = 0;
  private top = 0;
  private height = 1;
  /** Stays on the last row while rows are added. */
  follows: boolean;

  constructor(idOf: (row: T) => string, follows = false) {
    this.idOf = idOf;
    this.follows = follows;
  }

  chosen(rows: readonly T[]): T | undefined {
    return rows[this.place(rows)];
  }

  choose(id: string): void {
    this.chosenId = id;
    this.follows = false;
  }

  /** The rows in sight of a list that is `height` rows high. */
  window(rows: readonly T[], height: number): { readonly first: number; readonly chosen: number } {
    this.height = Math.max(1, height);
    const chosen = this.place(rows);
    if (chosen < this.top) this.top = chosen;
    if (chosen >= this.top + this.height) this.top = chosen - this.height + 1;
    this.top = Math.max(0, Math.min(this.top, rows.length - this.height));
    return { first: this.top, chosen };
  }

  /** @returns whether it was a key that moves */
  key({ name }: Key, rows: readonly T[]): boolean {
    const step = this.stepOf(name, rows.length);
    if (step === undefined) return false;
    const wanted = this.place(rows) + step;
    this.index = Math.max(0, Math.min(rows.length - 1, wanted));
    this.follows = this.follows && wanted >= rows.length - 1;
    this.remember(rows);
    return true;
  }

  private stepOf(name: string, count: number): number | undefined {
    const page = Math.max(1, this.height - 1);
    const steps: { readonly [key: string]: number } = {
      "up": -1,
      "k": -1,
      "down": 1,
      "j": 1,
      "pageup": -page,
      "C-b": -page,
      "pagedown": page,
      "C-f": page,
      "home": -count,
      "g": -count,
      "end": count,
      "G": count,
    };
    return Object.hasOwn(steps, name) ? steps[name] : undefined;
  }

  /** Where a row that has gone was, the next one is. */
  private place(rows: readonly T[]): number {
    if (this.follows) this.index = rows.length - 1;
    else if (this.chosenId !== undefined) {
      const here = rows[this.index];
      if (here === undefined || this.idOf(here) !== this.chosenId) {
        const found = rows.findIndex((row) => this.idOf(row) === this.chosenId);
        if (found >= 0) this.index = found;
      }
    }
    this.index = Math.max(0, Math.min(this.index, rows.length - 1));
    this.remember(rows);
    return this.index;
  }

  private remember(rows: readonly T[]): void {
    const row = rows[this.index];
    if (row !== undefined) this.chosenId = this.idOf(row);
  }
}
