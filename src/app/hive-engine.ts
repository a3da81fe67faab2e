import { cronerCalendar } from "../adapters/calendar/croner-calendar.ts";
import type { Agents } from "../actors/agent.ts";
import type { Connector } from "../actors/approvers.ts";
import { channelActivities } from "../actors/channel/channel-activities.ts";
import { type Channels, noChannels } from "../actors/channel/channels.ts";
import { schedulesOf } from "./schedules/schedules-of.ts";
import { postOver } from "./channels/outbox.ts";
import { type CallModelOptions, createCallModel } from "../actors/call-model.ts";
import { createCompletions } from "../actors/completions.ts";
import { summaryActivities } from "../actors/compaction/summary-activities.ts";
import { createModelAside } from "../actors/model-aside.ts";
import { createExecuteTool } from "../actors/execute-tool.ts";
import { createJudge } from "../actors/judge-call.ts";
import { createLookups } from "../actors/lookups.ts";
import type { MemoryParts } from "../actors/memory/memory-parts.ts";
import { noMemories } from "../actors/memory/no-memories.ts";
import { machineEntries } from "../actors/machine-entries.ts";
import type { ActivityKinds } from "../engine/activities/activity-kind.ts";
import { createEngine } from "../engine/create-engine.ts";
import type { Engine, EngineLimits } from "../engine/engine.ts";
import { createMachineRegistry } from "../engine/machine-registry.ts";
import { engineTables } from "../engine/tables.ts";
import type { ConsolidationRules } from "../memory/consolidation/material.ts";
import { memorySettings } from "../memory/settings.ts";
import type { Redactor } from "../policy/redaction.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RowStore } from "../ports/store.ts";
import type { Web } from "../ports/web.ts";
import { type Amounts, noAmounts } from "../schema/budget.ts";
import type { ContextSettings } from "../schema/context-strategy.ts";
import { eventRegistry } from "../schema/events/events.ts";
import { domainTables } from "../schema/rows/domain-tables.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { memoryActivities } from "./memory-activities.ts";

/** Everything that a store of ours holds. */
export const allTables = [...engineTables, ...domainTables];

const usualContext: ContextSettings = {
  strategy: "summarize",
  maxTokens: 100_000,
  episodes: true,
};

export type HiveParts = {
  readonly store: RowStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly agents: Agents;
  readonly tools: ToolRegistry;
  readonly web: Web;
  /** Absent: nothing is remembered. */
  readonly memory?: MemoryParts;
  /** What memory may take of a prompt; absent: what is usual. */
  readonly recallTokens?: () => number;
  readonly redactor: Pick<Redactor, "json" | "stream">;
  /** Absent: nobody writes from outside. */
  readonly channels?: Channels;
  /** Asked for each question to a person; absent: there is no way in from outside. */
  readonly connectors?: () => readonly Connector[];
  /** Asked for each model call. */
  readonly historyMessages: () => number;
  /** Asked between runs; absent: as without a word in the configuration. */
  readonly context?: () => ContextSettings;
  /** Asked whenever a slot may be free. */
  readonly maxConcurrentRuns: () => number;
  /** In millionths of a US dollar, by `provider/model`; absent: every price is unknown. */
  readonly costOf?: CallModelOptions["costOf"];
  /** What all agents together may use in a day; absent: any amount. */
  readonly dayBudget?: () => Amounts;
  /** Asked for each consolidation of memory; absent: as the configuration says that says nothing. */
  readonly consolidation?: () => ConsolidationRules;
  readonly limits?: Partial<EngineLimits>;
  readonly faultPoint?: (label: string) => void;
};

const calendar = cronerCalendar;

/** The engine with our machines, activities and lookups, over any store. */
export function createHiveEngine(parts: HiveParts): Engine {
  const { store, clock, log, agents, tools, redactor, historyMessages, maxConcurrentRuns } = parts;
  const { connectors = () => [], channels = noChannels } = parts;
  const judge = createJudge(agents, tools);
  const present = { agents, channels, connectors, calendar };
  const read = () => store.committed;
  const maxConcurrent = () => maxConcurrentRuns() * 4;
  const { costOf = () => null, dayBudget = () => noAmounts, context = () => usualContext } = parts;
  const aside = createModelAside({ agents, costOf, dayBudget, redact: redactor.json });
  const work = { agents, tools, read, connectors, maxConcurrent, redactStream: redactor.stream };
  const activities = {
    callModel: createCallModel({
      ...work,
      historyMessages,
      context,
      costOf,
      dayBudget,
      ...recallOf(parts, connectors),
    }),
    executeTool: createExecuteTool({
      ...work,
      judge,
      web: parts.web,
      memories: parts.memory?.memories ?? noMemories,
      schedules: (asking) => schedulesOf(() => engine, { calendar, clock, asking }),
      outbox: { post: (message, key) => postOver(engine, { channels, message, key }) },
    }),
    ...channelActivities({ channels, agents, read }),
    ...memoryActivities(parts, aside),
    ...summaryActivities({ agents, aside, read }),
  } as unknown as ActivityKinds;
  const engine = createEngine({
    store,
    clock,
    log,
    redact: redactor.json,
    activities,
    completions: createCompletions({ agents, redact: redactor.json }),
    machines: createMachineRegistry(machineEntries),
    lookups: createLookups({
      ...present,
      judge,
      maxConcurrentRuns,
      compaction: { aside, historyMessages, context },
    }),
    events: eventRegistry,
    tables: domainTables,
    ...ofTests(parts),
  });
  return engine;
}

function ofTests({ limits, faultPoint }: HiveParts) {
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(faultPoint === undefined ? {} : { faultPoint }),
  };
}

function recallOf(
  { memory, recallTokens, clock, log, redactor }: HiveParts,
  connectors: () => readonly Connector[],
): Pick<CallModelOptions, "recall"> {
  if (memory === undefined) return {};
  const { memories } = memory;
  const tokens = recallTokens ?? (() => memorySettings().recall_tokens);
  return { recall: { memories, tokens, connectors, clock, log, redact: redactor.json } };
}
