/** What a rerun makes of a recorded step. */

export type Difference = {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
};

export type Verdict =
  | { readonly replayed: "same" }
  | { readonly replayed: "different"; readonly difference: Difference }
  | { readonly replayed: "unknown"; readonly why: string };

export const same: Verdict = { replayed: "same" };

export function unknown(why: string): Verdict {
  return { replayed: "unknown", why };
}

export function verdictOf(difference: Difference | undefined): Verdict {
  return difference === undefined ? same : { replayed: "different", difference };
}

export function differenceIn(
  what: string,
  expected: string | null,
  found: string | null,
): Difference | undefined {
  if (expected === found) return undefined;
  return { what, expected: expected ?? "none", found: found ?? "none" };
}
