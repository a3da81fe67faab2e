import type { Agent, Agents } from "../actors/agent.ts";
import { createLinuxFiles } from "../adapters/files/linux-files.ts";
import type { ModelRegistry } from "../adapters/model/registry.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { AgentConfig } from "../schema/config.ts";

const thinkingTokens = 2_048;

/** The configured agents, each with its files opened below its own workspace. */
export async function createAgents(
  configs: readonly AgentConfig[],
  models: ModelRegistry,
): Promise<Agents> {
  const agents = new Map<string, Agent>();
  for (const config of configs) agents.set(config.id, await createAgent(config, models));
  return { get: (id) => agents.get(id) };
}

async function createAgent(config: AgentConfig, models: ModelRegistry): Promise<Agent> {
  const { id, enabled, identity, prompts, tools, capabilities, limits, model_policy } = config;
  return {
    id,
    enabled,
    systemPrompt: systemPrompt({ name: identity.name, ...prompts }),
    policy: { ...capabilities, ...tools },
    limits,
    maxTokens: model_policy.max_tokens,
    thinkingBudget: model_policy.thinking === "enabled" ? thinkingTokens : 0,
    files: await createLinuxFiles({ root: config.workspace }),
    model: () => models.resolve(model_policy.primary),
  };
}
