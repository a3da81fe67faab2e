import type { Line } from "../frame/frame.ts";

/** Blocks of lines, one below the other, of which only those in sight are made. */
export type Blocks<T> = {
  readonly all: readonly T[];
  lines(index: number): readonly Line[];
};

type Place = { readonly index: number; readonly line: number };

/** Which part of a long text of blocks is in sight: its end, while blocks are added and grow; or, scrolled up, what stands there. */
export class TranscriptWindow<T> {
  /** The line at the top; undefined: the end is in sight. */
  private anchor: { readonly block: T; readonly line: number } | undefined;
  private rows = 1;

  get isAtEnd(): boolean {
    return this.anchor === undefined;
  }

  toEnd(): void {
    this.anchor = undefined;
  }

  window(blocks: Blocks<T>, rows: number): readonly Line[] {
    this.rows = Math.max(1, rows);
    const top = this.top(blocks);
    const lines: Line[] = [];
    for (let index = top.index; index < blocks.all.length && lines.length < this.rows; index += 1) {
      const block = blocks.lines(index);
      lines.push(...(index === top.index ? block.slice(top.line) : block).slice(0, this.rows));
    }
    return lines.slice(0, this.rows);
  }

  /** By a page, less a line. @returns false where it could go no further up */
  pageUp(blocks: Blocks<T>): boolean {
    const top = this.top(blocks);
    const place = this.up(blocks, top, Math.max(1, this.rows - 1));
    this.hold(blocks, place);
    return place.index !== top.index || place.line !== top.line;
  }

  pageDown(blocks: Blocks<T>): void {
    if (this.anchor === undefined) return;
    const from = this.top(blocks);
    const last = this.up(blocks, { index: blocks.all.length, line: 0 }, this.rows);
    let { index, line } = from;
    let left = Math.max(1, this.rows - 1);
    while (index < blocks.all.length && left > 0) {
      const rest = blocks.lines(index).length - line;
      if (rest > left) line += left;
      left -= rest;
      if (left >= 0) [index, line] = [index + 1, 0];
    }
    if (index > last.index || (index === last.index && line >= last.line)) this.toEnd();
    else this.hold(blocks, { index, line });
  }

  private hold({ all }: Blocks<T>, { index, line }: Place): void {
    const block = all[index];
    if (block !== undefined) this.anchor = { block, line };
  }

  private top(blocks: Blocks<T>): Place {
    const held = this.anchor === undefined ? -1 : blocks.all.indexOf(this.anchor.block);
    if (held >= 0 && this.anchor !== undefined) return { index: held, line: this.anchor.line };
    this.anchor = undefined;
    return this.up(blocks, { index: blocks.all.length, line: 0 }, this.rows);
  }

  private up(blocks: Blocks<T>, { index, line }: Place, lines: number): Place {
    let [at, left] = [index, lines - line];
    while (at > 0 && left > 0) {
      at -= 1;
      left -= blocks.lines(at).length;
    }
    return { index: at, line: Math.max(0, -left) };
  }
}
