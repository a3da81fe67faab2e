import type { ConsolidationNote } from "../../schema/consolidation.ts";
import type { ConsolidationContext } from "../../schema/contexts/consolidation-context.ts";

/** One line for people about what a consolidation came to. */

type Told = Pick<ConsolidationContext, "plan" | "is_dry_run" | "is_changed" | "error">;

const counted: readonly (readonly [ConsolidationNote["kind"], string])[] = [
  ["promoted", "promoted"],
  ["conflict", "in conflict"],
  ["resolved", "in conflict no more"],
  ["outdated", "over"],
  ["forgotten", "forgotten"],
  ["held_back", "held back"],
  ["refused", "refused"],
];

export function consolidationWords({ plan, is_dry_run, is_changed, error }: Told): string {
  const notes = plan?.notes ?? [];
  const parts = counted.flatMap(([kind, words]) => {
    const count = notes.filter((note) => note.kind === kind).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const found = parts.length === 0 ? "nothing to tidy" : parts.join(", ");
  const why = error === null ? "" : `; ${error.code}: ${error.message}`;
  return `${is_dry_run && !is_changed ? "would be: " : ""}${found}${why}`;
}
