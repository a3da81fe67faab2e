import type { Writable } from "node:stream";

/** What of blessed is used here and @types/blessed does not know: the canvas of cells below its widgets. */
declare module "blessed" {
  /** The look (flags, foreground, background) and the character. */
  type BlessedCell = [attribute: number, character: string];
  type BlessedRow = BlessedCell[] & { dirty: boolean };

  namespace Widgets {
    interface Screen {
      /** What is to be shown; `alloc` makes it blank. */
      lines: BlessedRow[];
      /** What is shown. */
      readonly olines: readonly BlessedRow[];
    }
    interface Tput {
      brokenACS: boolean;
    }
  }

  interface BlessedProgram {
    cursorHidden: boolean;
    /** Writes what is buffered at once. */
    flush(): void;
  }

  const unicode: { charWidth(text: string | number, at?: number): number };
  const tput: { readonly ipaths: unknown[] };
}
