import type { Agent } from "../../src/actors/agent.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createMissingSandbox } from "../../src/adapters/sandbox/bubblewrap.ts";
import type { ModelProvider } from "../../src/ports/model.ts";
import { noBudget } from "../../src/schema/budget.ts";

/** The one agent of the benches. */

const limits = {
  max_tool_rounds: 25,
  max_identical_calls: 3,
  run_timeout_ms: 1_800_000,
  approval_timeout_ms: 86_400_000,
};

export type BenchAgentParts = {
  readonly tools: readonly string[];
  readonly boundary: readonly string[];
  readonly model?: ModelProvider;
};

export function benchAgent({ tools, boundary, model }: BenchAgentParts): Agent {
  return {
    id: "main",
    enabled: true,
    config: { id: "main" },
    configHash: "h1",
    workspace: "/workspace/main",
    systemPrompt: "You are a bench.",
    policy: { allow: tools, risk: {}, boundary, grant: [], deny: [] },
    limits,
    maxTokens: 1000,
    budget: noBudget,
    thinkingBudget: 0,
    memoryRead: ["own", "shared"],
    files: createMemoryFiles(),
    sandbox: createMissingSandbox("There is none here."),
    model: () => {
      if (model === undefined) throw new Error("this bench has no model");
      return { provider: model, model: "bench" };
    },
  };
}

export const agentsOf = (agent: Agent) => ({
  get: (id: string) => (id === agent.id ? agent : undefined),
  restore: () => undefined,
});
