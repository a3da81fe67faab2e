import { createChangeMemory } from "../actors/memory/changing/change-memory.ts";
import { createProposeConsolidation } from "../actors/memory/consolidation/propose-consolidation.ts";
import { createSurveyMemory } from "../actors/memory/consolidation/survey-memory.ts";
import type { ModelAside } from "../actors/model-aside.ts";
import type { ConsolidationRules } from "../memory/consolidation/material.ts";
import type { Connector } from "../actors/approvers.ts";
import type { Agents } from "../actors/agent.ts";
import type { MemoryParts } from "../actors/memory/memory-parts.ts";
import type { RowStore } from "../ports/store.ts";

const consolidationByDefault: ConsolidationRules = { promote: true, forget_after_days: 90 };

type Parts = {
  readonly store: RowStore;
  readonly agents: Agents;
  readonly memory?: MemoryParts;
  readonly connectors?: () => readonly Connector[];
  readonly consolidation?: () => ConsolidationRules;
};

/** What works on the files of memory. */
export function memoryActivities(parts: Parts, aside: ModelAside) {
  const { memory, store, agents, connectors = () => [] } = parts;
  const { consolidation: rules = () => consolidationByDefault } = parts;
  const read = () => store.committed;
  const consolidating = { memory, read, agents, connectors, rules, aside };
  return {
    changeMemory: createChangeMemory({ memory, read }),
    surveyMemory: createSurveyMemory(consolidating),
    proposeConsolidation: createProposeConsolidation(consolidating),
  };
}
