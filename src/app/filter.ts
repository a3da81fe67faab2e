/** How filters of records, events and the log are understood: what is undefined is not asked for. */

type Wanted = readonly [want: string | undefined, has: unknown];

export function hasAll(pairs: readonly Wanted[]): boolean {
  return pairs.every(([want, has]) => want === undefined || want === has);
}

type Span = {
  /** ISO 8601; this moment is inside. */
  readonly after?: string | undefined;
  /** ISO 8601; this moment is outside. */
  readonly before?: string | undefined;
};

/** @param at milliseconds since the epoch */
export function isBetween(at: number, { after, before }: Span): boolean {
  return (
    (after === undefined || at >= Date.parse(after)) &&
    (before === undefined || at < Date.parse(before))
  );
}
