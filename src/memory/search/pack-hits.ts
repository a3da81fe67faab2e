import type { MemoryHit } from "../../schema/memory.ts";
import { estimateTokens } from "../tokens.ts";

/** Takes hits into a budget, most relevant first, and joins those that touch each other in their file.
 *  @param hits best first
 *  @param cost what one hit takes as it will be shown; by default its heading and its text
 *  @returns best first; in total at most `budgetTokens`. What does not fit is left out, what comes after it may still fit. */
export function packHits(
  hits: readonly MemoryHit[],
  budgetTokens: number,
  cost: (hit: MemoryHit) => number = costOfHit,
): MemoryHit[] {
  let packed: MemoryHit[] = [];
  for (const hit of hits) {
    const joined = joinHit(packed, hit);
    const total = joined.reduce((sum, each) => sum + cost(each), 0);
    if (total <= budgetTokens) packed = joined;
  }
  return packed;
}

function costOfHit(hit: MemoryHit): number {
  return estimateTokens(hit.heading) + estimateTokens(hit.text) + 1;
}

/** The list with `hit` in it: joined to all that it touches, at the place of the best of them; or at the end. */
function joinHit(packed: readonly MemoryHit[], hit: MemoryHit): MemoryHit[] {
  const at = packed.findIndex((other) => touches(other, hit));
  if (at === -1) return [...packed, hit];
  const joined = packed.reduce(
    (sum, other) => (touches(other, sum) ? joinTwo(other, sum) : sum),
    hit,
  );
  return packed.flatMap((other, index) => {
    if (index === at) return [joined];
    return touches(other, hit) ? [] : [other];
  });
}

/** One follows the other in the same file, under the same heading. */
function touches(one: MemoryHit, other: MemoryHit): boolean {
  if (one.path !== other.path || one.kind !== other.kind || one.heading !== other.heading) {
    return false;
  }
  const [first, second] = inOrder(one, other);
  return second.line_start === first.line_end + 1;
}

function joinTwo(one: MemoryHit, other: MemoryHit): MemoryHit {
  const [first, second] = inOrder(one, other);
  return {
    ...first,
    score: Math.max(one.score, other.score),
    line_end: second.line_end,
    text: `${first.text}\n${second.text}`,
    origins: [...new Set([...first.origins, ...second.origins])],
  };
}

function inOrder(one: MemoryHit, other: MemoryHit): [MemoryHit, MemoryHit] {
  return one.line_start <= other.line_start ? [one, other] : [other, one];
}
