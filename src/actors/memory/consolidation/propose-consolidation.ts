import type { ActivityKind } from "../../../engine/activities/activity-kind.ts";
import { proposalIn } from "../../../memory/consolidation/answer.ts";
import { planConsolidation } from "../../../memory/consolidation/plan.ts";
import { homeOf } from "../../../memory/partitions.ts";
import type {
  ProposeConsolidationInput,
  ProposeConsolidationOutput,
} from "../../../schema/activities.ts";
import type { ConsolidationNote } from "../../../schema/consolidation.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { AsideWork } from "../../model-aside.ts";
import { noMemory } from "../no-memories.ts";
import { keepPlan } from "./keep-plan.ts";
import { questionFor } from "./question-for.ts";
import { readMaterial } from "./read-material.ts";
import type { SurveyMemoryOptions } from "./survey-memory.ts";

/** Asks the agent's model what of the new entries is to be kept for good, and plans with what of its answer may be done. */

const maxTokens = 4_000;

export function createProposeConsolidation(
  options: SurveyMemoryOptions,
): ActivityKind<ProposeConsolidationInput, ProposeConsolidationOutput> {
  const { aside } = options;
  return {
    recovery: "repeat",
    maxConcurrent: 2,
    retry: { attempts: 4, backoffMs: 1_000, maxBackoffMs: 30_000 },
    admit: (store, input, attempt) => {
      const size = { inputTokens: input.question_tokens, maxTokens };
      return aside.admit(store, { ...workOf(input), ...size }, attempt);
    },
    settled: (store, attempt) => aside.settled(store, attempt, workOf(attempt.input)),
    run: async ({ input, key, signal }) => {
      const { memory } = options;
      if (memory === undefined) throw noMemory();
      const found = await readMaterial(options, input, signal);
      const question = questionFor(found.material);
      if (question === undefined || found.agent_id === null)
        throw new AgentError("memory.changed", "There is nothing to ask any more.");
      const { system, prompt } = question;
      const asked = { agent_id: found.agent_id, system, prompt, maxTokens };
      const { text, model, usage } = await aside.ask(asked, { signal, key });
      const proposal = proposalIn(text);
      const planned = planConsolidation(found.material, proposal);
      const is_usable = proposal !== undefined;
      const notes = is_usable ? found.notes : [...found.notes, useless(model)];
      const plan = await keepPlan(memory.versions, planned, { ...found, notes });
      return { plan, is_usable, model, usage };
    },
  };
}

function workOf({ partition }: ProposeConsolidationInput): AsideWork {
  const { agent_id = "" } = homeOf(partition) ?? {};
  return { agent_id, session_id: null, work_id: `consolidation/${partition}` };
}

function useless(model: string): ConsolidationNote {
  const text = `the answer of ${model} was no proposal; what is new waits until more is new, the model is another, or a person has it tidied`;
  return { kind: "refused", path: null, line: null, text };
}
