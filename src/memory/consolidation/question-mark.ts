import { createHash } from "node:crypto";
import type { Item } from "./material.ts";
import type { Survey } from "./survey.ts";

/** The same for as long as nothing is new that was not new before, and who is asked and how stay what they were; whatever the day.
 *  @param asking the model, and what it is told to do */
export function questionMark(
  { fresh, later, known }: Survey,
  asking: { readonly model: string; readonly system: string },
): string {
  const all = [asking.model, asking.system, [...fresh, ...later].map(told), known.map(told)];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

const told = ({ day, text }: Item) => [day, text];
