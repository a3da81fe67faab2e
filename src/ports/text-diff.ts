/** What became of a text, by lines. */
export type TextDiff = {
  count(before: string, after: string): { readonly added: number; readonly removed: number };
  /** `present` without what led from `before` to `after`; undefined: those lines are not there any more as they were. */
  undo(
    present: string,
    change: { readonly before: string; readonly after: string },
  ): string | undefined;
  /** A unified diff. */
  show(before: string, after: string, path: string): string;
};
