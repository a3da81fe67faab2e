import type { Cut } from "../schema/contexts/session-context.ts";
import type { Message } from "../schema/rows/session-rows.ts";

/** Where a conversation that is too long for its model may begin later: between whole exchanges, and within the present run
 *  between whole rounds, so that no call is parted from its result. What the person said in the present run stays, and so does
 *  the newest round since. */

type Row = Pick<Message, "role" | "content" | "run_id" | "position">;

export type ShownHistory = {
  /** What an earlier cut kept from before `rows`. */
  readonly kept: readonly Row[];
  /** Oldest first; ends with the present run. */
  readonly rows: readonly Row[];
};

/** @param keep the part of the whole that should be left, between 0 and 1; what can be cut is coarser
 *  @returns undefined where nothing more can go */
export function shorterHistory(
  { kept, rows }: ShownHistory,
  currentRun: string,
  keep: number,
): Cut | undefined {
  const places = placesToCut(rows, currentRun);
  const sizes = rows.map(({ content }) => JSON.stringify(content).length);
  const wanted = sum(sizes) * keep;
  const place = places.find((index) => sum(sizes.slice(index)) <= wanted) ?? places.at(-1);
  const first = place === undefined ? undefined : rows[place];
  if (first === undefined) return undefined;
  const before = [...kept, ...rows.slice(0, place)];
  const stays = before.filter(({ role, run_id }) => role === "user" && run_id === first.run_id);
  return {
    from_position: first.position,
    kept: stays.map(({ position }) => position),
  };
}

/** Indexes at which less may begin, oldest first. Index 0 is where it begins now. */
function placesToCut(rows: readonly Row[], currentRun: string): number[] {
  const seen = new Set<string>();
  let hasRound = false;
  const places: number[] = [];
  for (const [index, { role, run_id }] of rows.entries()) {
    const opensRun = role === "user" && !seen.has(run_id);
    const opensRound = run_id === currentRun && role !== "tool" && hasRound;
    if (index > 0 && (opensRun || opensRound)) places.push(index);
    if (run_id === currentRun && role === "assistant") hasRound = true;
    seen.add(run_id);
  }
  return places;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
