import type { Item, Material } from "../../../memory/consolidation/material.ts";
import { shownOf } from "../../../memory/consolidation/shown.ts";
import { survey } from "../../../memory/consolidation/survey.ts";
import { consolidationQuestion, type ShownMemory } from "../../../prompt/consolidation-task.ts";
import { byteLength, tokensOf } from "../../call-estimate.ts";

export type Question = {
  readonly system: string;
  readonly prompt: string;
  /** At most. */
  readonly tokens: number;
};

/** What a model is asked about a partition; undefined: nothing there is new. */
export function questionFor(material: Material): Question | undefined {
  const { entries, known } = shownOf(survey(material));
  if (entries.size === 0) return undefined;
  const question = consolidationQuestion(listed(entries), listed(known), material.today);
  return { ...question, tokens: tokensOf(byteLength(question.system + question.prompt)) };
}

function listed(items: ReadonlyMap<string, Item>): ShownMemory[] {
  return [...items].map(([id, { day, text }]) => ({ id, day, text }));
}
