import type { RunContext } from "../../schema/contexts/run-context.ts";

/** Finds out that the rounds of a run go in a circle: the same one over and over, or a few that take turns. */

export type Repetition = RunContext["repeated"];

/** A circle of more rounds is left to the limit of rounds. */
const longestCircle = 4;

const circles = Array.from({ length: longestCircle }, (_, index) => index + 1);

export const noRounds: Repetition = { recent: [], streaks: circles.map(() => 0) };

/** @param hash which calls the round makes */
export function withRound({ recent, streaks }: Repetition, hash: string): Repetition {
  return {
    recent: [hash, ...recent].slice(0, longestCircle),
    streaks: circles.map((rounds, at) =>
      recent[rounds - 1] === hash ? (streaks[at] ?? 0) + 1 : 0,
    ),
  };
}

/** @returns of how many rounds the circle is that came `times` times in a row; the smallest one */
export function circleOf({ streaks }: Repetition, times: number): number | undefined {
  return circles.find((rounds, at) => (streaks[at] ?? 0) >= rounds * (times - 1));
}
