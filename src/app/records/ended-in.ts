import type { JournalRow } from "../../engine/tables.ts";

/** The one of these states that the step has led to. */
export function endedIn<State extends string>(
  { outcome, state_before, state_after }: JournalRow,
  ...states: readonly State[]
): State | undefined {
  if (outcome !== "handled" || state_before === state_after) return undefined;
  return states.find((state) => state === state_after);
}
