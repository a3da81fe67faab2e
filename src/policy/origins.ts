import type { Trust } from "../schema/contexts.ts";

/** What a run knows, by where it came from: `file:notes.md`, `web:example.com`. */

/** More are told as this one, so that what a run remembers stays small. */
export const manyOthers = "others";

const mostOrigins = 16;

export function withOrigins(known: Trust, added: Trust): Trust {
  return {
    private: union(known.private, added.private),
    untrusted: union(known.untrusted, added.untrusted),
  };
}

function union(known: readonly string[], added: readonly string[]): string[] {
  const all = [...new Set([...known, ...added])];
  return all.length <= mostOrigins
    ? all
    : [...all.filter((origin) => origin !== manyOthers).slice(0, mostOrigins - 1), manyOthers];
}
