import type { Agent, Agents } from "../../src/actors/agent.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createOfflineProvider } from "../../src/adapters/model/offline/offline-provider.ts";
import { createMissingSandbox } from "../../src/adapters/sandbox/bubblewrap.ts";
import type { ModelProvider } from "../../src/ports/model.ts";
import { noBudget } from "../../src/schema/budget.ts";
import type { LlmRequest, LlmResponse } from "../../src/schema/llm.ts";

/** An agent and a provider whose parts a test names. */

export function agentWith(changes: Partial<Agent> = {}): Agent {
  const provider = createOfflineProvider();
  return {
    id: "main",
    enabled: true,
    config: { id: "main" },
    configHash: "h1",
    workspace: "/workspace/main",
    systemPrompt: "You are a test.",
    policy: {
      allow: ["file_read", "file_write", "ask_user"],
      risk: {},
      boundary: ["fs.read:**", "fs.write:**"],
      grant: ["fs.read:**"],
      deny: [],
    },
    limits: {
      max_tool_rounds: 25,
      max_identical_calls: 3,
      run_timeout_ms: 1_800_000,
      approval_timeout_ms: 86_400_000,
    },
    budget: noBudget,
    maxTokens: 1000,
    thinkingBudget: 0,
    memoryRead: ["own", "shared"],
    files: createMemoryFiles(),
    sandbox: createMissingSandbox("There is none here."),
    model: () => ({ provider, model: "rules" }),
    ...changes,
  };
}

/** Agents that nobody configures anew. */
export function fixedAgents(...agents: readonly Agent[]): Agents {
  return { get: (wanted) => agents.find(({ id }) => id === wanted), restore: () => undefined };
}

/** Answers what the test says; what is left out is a short text. */
export function providerOf(answer: (request: LlmRequest) => Partial<LlmResponse>): ModelProvider {
  return {
    id: "fake",
    defaultModel: "rules",
    supportsTools: true,
    complete: async (request) => ({
      content: [{ type: "text", text: "Yes." }],
      stop_reason: "end_turn",
      input_tokens: 1,
      output_tokens: 1,
      ...answer(request),
    }),
  };
}
