import type { Agent } from "../../src/actors/agent.ts";
import { sessionAddress, sessionKey } from "../../src/actors/session-key.ts";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { createOfflineProvider } from "../../src/adapters/model/offline/offline-provider.ts";
import { createMissingSandbox } from "../../src/adapters/sandbox/bubblewrap.ts";
import { createScriptedWeb } from "../../src/adapters/web/scripted-web.ts";
import { allTables, createHiveEngine, type HiveParts } from "../../src/app/hive-engine.ts";
import type { Engine, SendResult } from "../../src/engine/engine.ts";
import type { AgentPolicy } from "../../src/policy/verdict.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import type { Files } from "../../src/ports/files.ts";
import type { ModelProvider } from "../../src/ports/model.ts";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { type AgentBudget, noBudget } from "../../src/schema/budget.ts";
import type { ContextSettings } from "../../src/schema/context-strategy.ts";
import type { MemorySource } from "../../src/schema/memory.ts";
import type { QueueMode } from "../../src/schema/queue.ts";
import { runTable } from "../../src/schema/rows/run-rows.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";

/** One agent over the offline model, on any store, with a simulated clock: what most tests of the whole need. */

export const testLimits = {
  max_tool_rounds: 25,
  max_identical_calls: 3,
  run_timeout_ms: 1_800_000,
  approval_timeout_ms: 86_400_000,
};

/** Scripted models sum up nothing: a test whose model does says so. */
const untouched: ContextSettings = {
  strategy: "truncate_old",
  maxTokens: 10_000_000,
  episodes: false,
};

export const testTtlMs = 1_800_000;

export const place = sessionKey({
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "cli",
  user_scope: "tester",
  agent_id: "main",
});

export type TestHive = {
  readonly engine: Engine;
  readonly clock: ReturnType<typeof createSimulatedClock>;
  readonly store: RowStore;
  readonly files: Files;
  /** @param key a second message with the same one is the same message */
  say(text: string, to?: string, key?: string, queue?: QueueMode): Promise<SendResult>;
  lastRun(): Promise<{ state: string | null; reply: string | null } | undefined>;
};

export type TestHiveOptions = Partial<Omit<HiveParts, "historyMessages" | "maxConcurrentRuns">> & {
  readonly historyMessages?: number;
  readonly maxConcurrentRuns?: number | (() => number);
  readonly files?: Files;
  readonly sandbox?: Sandbox;
  readonly provider?: ModelProvider;
  readonly policy?: Partial<AgentPolicy>;
  readonly memoryRead?: readonly MemorySource[];
  readonly agentLimits?: Partial<typeof testLimits>;
  /** Asked for each model call. */
  readonly agentBudget?: () => AgentBudget;
  readonly clock?: ReturnType<typeof createSimulatedClock>;
};

type AgentParts = {
  readonly files: Files;
  readonly provider: ModelProvider;
  readonly sandbox: Sandbox;
  readonly policy: Partial<AgentPolicy>;
  readonly memoryRead: readonly MemorySource[];
};

function testAgent({ files, provider, sandbox, policy, memoryRead }: AgentParts): Agent {
  return {
    id: "main",
    enabled: true,
    config: { id: "main" },
    configHash: "h1",
    workspace: "/workspace/main",
    systemPrompt: "You are a test.",
    policy: {
      allow: builtInTools.map(({ name }) => name),
      risk: {},
      boundary: ["fs.read:**", "fs.write:**", "shell.exec:*", "memory.read:*"],
      grant: ["fs.read:**"],
      deny: ["fs.read:**/.env"],
      ...policy,
    },
    limits: testLimits,
    budget: noBudget,
    maxTokens: 1000,
    thinkingBudget: 0,
    memoryRead,
    files,
    sandbox,
    model: () => ({ provider, model: "rules" }),
  };
}

export async function createTestHive(options: TestHiveOptions = {}): Promise<TestHive> {
  const clock = options.clock ?? createSimulatedClock(1_000_000);
  const store = options.store ?? createMemoryStore({ tables: allTables, strict: true });
  const files = options.files ?? createMemoryFiles();
  const agent = testAgent({
    files,
    provider: options.provider ?? createOfflineProvider(),
    sandbox: options.sandbox ?? createMissingSandbox("There is none here."),
    policy: options.policy ?? {},
    memoryRead: options.memoryRead ?? ["own", "shared"],
  });
  const limits = { ...testLimits, ...options.agentLimits };
  const { historyMessages = 40, maxConcurrentRuns = 8 } = options;
  const engine = createHiveEngine({
    log: silentLog,
    agents: {
      get: (id) =>
        id === "main"
          ? { ...agent, limits, budget: options.agentBudget?.() ?? noBudget }
          : undefined,
      restore: () => undefined,
    },
    tools: createToolRegistry(builtInTools),
    web: createScriptedWeb(),
    redactor: createRedactor([]),
    context: () => untouched,
    ...options,
    historyMessages: () => historyMessages,
    maxConcurrentRuns: () =>
      typeof maxConcurrentRuns === "number" ? maxConcurrentRuns : maxConcurrentRuns(),
    store,
    clock,
  });
  await engine.start();
  return {
    engine,
    clock,
    store,
    files,
    say: (text, to = place, key, queue) =>
      engine.send(
        sessionAddress(to),
        { type: "message.received", text, ...(queue === undefined ? {} : { queue }) },
        {
          origin: "cli",
          ...(key === undefined ? {} : { idempotencyKey: key }),
          create: {
            machine: "session",
            input: { key: to, agent_id: "main", queue_cap: 100, ttl_ms: testTtlMs },
          },
        },
      ),
    lastRun: async () => {
      const [run] = await engine.read.select(runTable, {
        index: "by_started",
        descending: true,
        limit: 1,
      });
      return run;
    },
  };
}
