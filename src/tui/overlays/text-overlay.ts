import type { Hint, Overlay } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import type { Picture } from "../frame/picture.ts";
import { own, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";

export type TextOverlayOptions = {
  readonly title: SafeText;
  /** For a width in cells. */
  readonly lines: (width: number) => readonly Line[];
};

/** A text over everything else: help, a whole JSON. */
export class TextOverlay implements Overlay {
  readonly hints: readonly Hint[] = [
    { keys: own`↑↓ PgUp PgDn`, does: own`scroll` },
    { keys: own`Esc`, does: own`back`, isVital: true },
  ];
  private readonly options: TextOverlayOptions;
  private readonly scroll = new Scroll();
  private laid: { readonly width: number; readonly lines: readonly Line[] } | undefined;

  constructor(options: TextOverlayOptions) {
    this.options = options;
  }

  wants({ columns, rows }: Size): Size {
    const width = Math.min(columns, 110);
    return { columns: width, rows: Math.min(rows, this.lines(width - 2).length + 2) };
  }

  title(): SafeText {
    return this.options.title;
  }

  draw(size: Size): Picture {
    return { lines: this.scroll.window(this.lines(size.columns), size) };
  }

  key(key: Key): boolean {
    return this.scroll.key(key, this.laid?.lines.length ?? 0);
  }

  /** It does not change while it is shown, and may be long. */
  private lines(width: number): readonly Line[] {
    if (this.laid?.width !== width) this.laid = { width, lines: this.options.lines(width) };
    return this.laid.lines;
  }
}
