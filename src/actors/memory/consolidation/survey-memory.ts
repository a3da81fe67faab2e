import type { ActivityKind } from "../../../engine/activity-kind.ts";
import { planConsolidation } from "../../../memory/consolidation/plan.ts";
import { survey } from "../../../memory/consolidation/survey.ts";
import type { SurveyMemoryInput, SurveyMemoryOutput } from "../../../schema/activities.ts";
import type { ConsolidationNote } from "../../../schema/consolidation.ts";
import type { ModelAside } from "../../model-aside.ts";
import { noMemory } from "../no-memories.ts";
import { keepPlan } from "./keep-plan.ts";
import { questionFor } from "./question-for.ts";
import { type FoundMaterial, type MaterialOptions, readMaterial } from "./read-material.ts";

export type SurveyMemoryOptions = MaterialOptions & { readonly aside: ModelAside };

/** Reads a partition: what its rules make of it, and whether there is anything to ask a model. */
export function createSurveyMemory(
  options: SurveyMemoryOptions,
): ActivityKind<SurveyMemoryInput, SurveyMemoryOutput> {
  return {
    recovery: "repeat",
    maxConcurrent: 1,
    retry: { attempts: 3, backoffMs: 1_000, maxBackoffMs: 30_000 },
    run: async ({ input, signal }) => {
      const { memory, aside } = options;
      if (memory === undefined) throw noMemory();
      const found = await readMaterial(options, input, signal);
      const question = questionFor(found.material);
      const canAsk = found.agent_id !== null && aside.canAnswer(found.agent_id);
      const waiting = question === undefined || canAsk ? [] : [unasked(found)];
      const planned = planConsolidation(found.material, undefined);
      const notes = [...found.notes, ...waiting];
      const plan = await keepPlan(memory.versions, planned, { ...found, notes });
      return { plan, question_tokens: canAsk ? (question?.tokens ?? null) : null };
    },
  };
}

function unasked({ material, agent_id }: FoundMaterial): ConsolidationNote {
  const { fresh } = survey(material);
  const text = `${fresh.length} new entries wait until ${agent_id ?? "its agent"} has a model that can judge them`;
  return { kind: "left_alone", path: null, line: null, text };
}
