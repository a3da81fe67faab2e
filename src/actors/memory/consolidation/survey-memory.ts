import type { ActivityKind } from "../../../engine/activities/activity-kind.ts";
import { planConsolidation } from "../../../memory/consolidation/plan.ts";
import { questionMark } from "../../../memory/consolidation/question-mark.ts";
import { type Survey, survey } from "../../../memory/consolidation/survey.ts";
import type { SurveyMemoryInput, SurveyMemoryOutput } from "../../../schema/activities.ts";
import type { ConsolidationNote } from "../../../schema/consolidation.ts";
import { unansweredTable } from "../../../schema/rows/consolidation-rows.ts";
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
      const { memory } = options;
      if (memory === undefined) throw noMemory();
      const found = await readMaterial(options, input, signal);
      const { notes: waits, ...question } = await questionIn(options, found, input);
      const planned = planConsolidation(found.material, undefined);
      const notes = [...found.notes, ...waits];
      const plan = await keepPlan(memory.versions, planned, { ...found, notes });
      return { plan, ...question };
    },
  };
}

type Asking = Omit<SurveyMemoryOutput, "plan"> & { readonly notes: readonly ConsolidationNote[] };

const nothing: Asking = { question_tokens: null, question_mark: null, notes: [] };

async function questionIn(
  { aside, read }: SurveyMemoryOptions,
  { material, agent_id }: FoundMaterial,
  { partition, asks_again }: SurveyMemoryInput,
): Promise<Asking> {
  const question = questionFor(material);
  if (question === undefined) return nothing;
  const surveyed = survey(material);
  const model = agent_id === null ? undefined : aside.modelFor(agent_id);
  if (model === undefined)
    return waiting(surveyed, `until ${agent_id ?? "its agent"} has a model that can judge them`);
  const { system, tokens } = question;
  const question_mark = questionMark(surveyed, { model, system });
  const unanswered = await read().get(unansweredTable, partition);
  if (unanswered?.question_mark === question_mark && !asks_again)
    return waiting(surveyed, `since ${model} gave no usable answer: ${whenAgain}`);
  return { question_tokens: tokens, question_mark, notes: [] };
}

const whenAgain =
  "until more is new, the model is another, or `statehive memory consolidate` asks again";

function waiting({ fresh }: Survey, until: string): Asking {
  const text = `${fresh.length} new entries wait ${until}`;
  return { ...nothing, notes: [{ kind: "left_alone", path: null, line: null, text }] };
}
