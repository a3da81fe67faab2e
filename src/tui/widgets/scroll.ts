import type { Line, Size } from "../frame/frame.ts";
import type { Key } from "../screen.ts";

/** A text of any length, scrolled by keys: which of its lines are in sight. */
export class Scroll {
  private top = 0;
  private height = 1;
  /** Stays at the end while lines are added. */
  private isAtEnd: boolean;

  constructor(startsAtEnd = false) {
    this.isAtEnd = startsAtEnd;
  }

  toStart(): void {
    this.top = 0;
    this.isAtEnd = false;
  }

  /** So that this line is in sight, with some before it. */
  reveal(index: number): void {
    this.isAtEnd = false;
    this.top = index < this.height ? 0 : index - Math.floor(this.height / 3);
  }

  toEnd(): void {
    this.isAtEnd = true;
  }

  window(lines: readonly Line[], { rows }: Size): readonly Line[] {
    this.height = Math.max(1, rows);
    const last = Math.max(0, lines.length - this.height);
    this.top = this.isAtEnd ? last : Math.min(this.top, last);
    return lines.slice(this.top, this.top + this.height);
  }

  /** How many of so many lines come after those in sight. */
  below(lineCount: number): number {
    return Math.max(0, lineCount - this.top - this.height);
  }

  /** @returns whether it was a key that scrolls */
  key({ name }: Key, lineCount: number): boolean {
    const page = Math.max(1, this.height - 1);
    const steps: { readonly [key: string]: number } = {
      up: -1,
      k: -1,
      down: 1,
      j: 1,
      pageup: -page,
      pagedown: page,
      home: -lineCount,
      g: -lineCount,
      end: lineCount,
      G: lineCount,
    };
    const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
    if (step === undefined) return false;
    const last = Math.max(0, lineCount - this.height);
    this.top = Math.max(0, Math.min(last, this.top + step));
    this.isAtEnd = this.isAtEnd ? this.top >= last : step > 0 && this.top >= last;
    return true;
  }
}
