import { realpath } from "node:fs/promises";
import type { Agent, Agents } from "../actors/agent.ts";
import { createLinuxFiles } from "../adapters/files/linux-files.ts";
import type { ModelRegistry } from "../adapters/model/registry.ts";
import { createBubblewrapSandbox } from "../adapters/sandbox/bubblewrap.ts";
import { createUnconfinedSandbox } from "../adapters/sandbox/unconfined.ts";
import { type Bubblewrap, detectBubblewrap } from "../adapters/sandbox/detect-bubblewrap.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { AgentConfig, MainConfig } from "../schema/config.ts";

const thinkingTokens = 2_048;

/** The configured agents, each with its files opened below its own workspace. */
export async function createAgents(
  configs: readonly AgentConfig[],
  { models, unconfinedShell }: Pick<Parts, "models" | "unconfinedShell">,
): Promise<Agents> {
  const agents = new Map<string, Agent>();
  const parts = { models, unconfinedShell, bubblewrap: await bubblewrapFor(configs) };
  for (const config of configs) agents.set(config.id, await createAgent(config, parts));
  return { get: (id) => agents.get(id) };
}

/** Looked for only where somebody may use it. */
async function bubblewrapFor(configs: readonly AgentConfig[]): Promise<Bubblewrap> {
  const isWanted = configs.some(({ tools }) => tools.allow.includes("shell_exec"));
  return isWanted ? detectBubblewrap() : { ok: false, reason: "No agent may use shell_exec." };
}

type Parts = {
  readonly models: ModelRegistry;
  readonly bubblewrap: Bubblewrap;
  /** What becomes of commands where no sandbox can be made. */
  readonly unconfinedShell: MainConfig["shell"]["unconfined"];
};

async function sandboxFor(workspace: string, parts: Parts): Promise<Sandbox> {
  const { bubblewrap, unconfinedShell } = parts;
  const place = await realpath(workspace);
  if (!bubblewrap.ok && unconfinedShell === "ask") return createUnconfinedSandbox(place);
  return createBubblewrapSandbox({ workspace: place, bubblewrap });
}

async function createAgent(config: AgentConfig, parts: Parts): Promise<Agent> {
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
    sandbox: await sandboxFor(config.workspace, parts),
    model: () => parts.models.resolve(model_policy.primary),
  };
}
