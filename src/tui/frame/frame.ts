import type { SafeText } from "./safe-text.ts";

/** A picture of the whole screen, as data: what views make and what the terminal shows. */

export const colours = ["red", "green", "yellow", "blue", "magenta", "cyan", "grey"] as const;
export type Colour = (typeof colours)[number];

/** Without colours (NO_COLOR), what is bold, inverse or underlined stays. */
export type Style = {
  readonly fg?: Colour;
  readonly bg?: Colour;
  readonly bold?: true;
  readonly dim?: true;
  readonly inverse?: true;
  readonly underline?: true;
};

export type Span = { readonly text: SafeText; readonly style?: Style };

/** One row of the screen, or of a part of it. */
export type Line = readonly Span[];

/** In cells. */
export type Size = { readonly columns: number; readonly rows: number };

/** Cells from the upper left corner. */
export type Place = { readonly x: number; readonly y: number };

/** Rows from above; what is longer than the screen is wide, or below its end, is not shown. */
export type Frame = {
  readonly lines: readonly Line[];
  /** Where the terminal's cursor blinks; null: nowhere. */
  readonly cursor: Place | null;
};
