import { realpath } from "node:fs/promises";
import type { Agent, Agents } from "../actors/agent.ts";
import { createLinuxFiles } from "../adapters/files/linux-files.ts";
import type { ModelRegistry } from "../adapters/model/registry.ts";
import { createBubblewrapSandbox } from "../adapters/sandbox/bubblewrap.ts";
import { type Bubblewrap, detectBubblewrap } from "../adapters/sandbox/detect-bubblewrap.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { AgentConfig } from "../schema/config.ts";

const thinkingTokens = 2_048;

/** The configured agents, each with its files opened below its own workspace. */
export async function createAgents(
  configs: readonly AgentConfig[],
  models: ModelRegistry,
): Promise<Agents> {
  const agents = new Map<string, Agent>();
  const parts = { models, bubblewrap: await bubblewrapFor(configs) };
  for (const config of configs) agents.set(config.id, await createAgent(config, parts));
  return { get: (id) => agents.get(id) };
}

/** Looked for only where somebody may use it. */
async function bubblewrapFor(configs: readonly AgentConfig[]): Promise<Bubblewrap> {
  const isWanted = configs.some(({ tools }) => tools.allow.includes("shell_exec"));
  return isWanted ? detectBubblewrap() : { ok: false, reason: "No agent may use shell_exec." };
}

type Parts = { readonly models: ModelRegistry; readonly bubblewrap: Bubblewrap };

async function createAgent(config: AgentConfig, { models, bubblewrap }: Parts): Promise<Agent> {
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
    sandbox: createBubblewrapSandbox({ workspace: await realpath(config.workspace), bubblewrap }),
    model: () => models.resolve(model_policy.primary),
  };
}
