/** A part of a file that belongs together: a paragraph, a list item, a piece of code. */
export type Block = {
  readonly lines: readonly string[];
  /** Of its first line, from 1. */
  readonly line: number;
  readonly heading: string;
  readonly origins: readonly string[];
};

/** Text that stays in one chunk. */
export type Piece = {
  readonly text: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly heading: string;
  readonly origins: readonly string[];
};
