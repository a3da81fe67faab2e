/** A stretch of ids, none of its ends in it, that is gone through from its end. */
export type WaitingRange = { readonly after: number; readonly before: number };

/** Which chunks are looked at next for a missing vector: of what came last first, so that a note of now waits for no large file of
 *  before. Ids only grow. */
export class WaitingRanges {
  private readonly stretches: WaitingRange[] = [];
  private highest = 0;

  /** There are chunks up to this id. */
  reach(id: number): void {
    if (id <= this.highest) return;
    this.stretches.push({ after: this.highest, before: id + 1 });
    this.highest = id;
  }

  /** The newest one that is left. */
  get next(): WaitingRange | undefined {
    return this.stretches.at(-1);
  }

  /** The end of this stretch, down to that id, need not be looked at again. */
  passed(stretch: WaitingRange, downTo: number): void {
    const at = this.stretches.indexOf(stretch);
    if (at < 0) return;
    if (downTo - 1 > stretch.after) this.stretches[at] = { after: stretch.after, before: downTo };
    else this.stretches.splice(at, 1);
  }

  /** All is looked at again. */
  restart(): void {
    this.stretches.splice(0);
    const { highest } = this;
    this.highest = 0;
    this.reach(highest);
  }
}
