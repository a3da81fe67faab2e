import { z } from "zod";
import type { AgentSettings } from "../../actors/agent.ts";
import type { ModelRegistry } from "../../adapters/model/registry.ts";
import { hashOf } from "../../policy/canonical-json.ts";
import { systemPrompt } from "../../prompt/system-prompt.ts";
import type { AgentConfig } from "../../schema/config/config.ts";
import { agentFile } from "../../schema/config/config-agent.ts";
import { runLimits } from "../../schema/contexts/run-limits.ts";
import type { JsonObject } from "../../schema/json.ts";

const thinkingTokens = 2_048;

/** What a configuration says of an agent, in the words of its runs. */
export function agentSettings(config: AgentConfig, models: ModelRegistry): AgentSettings {
  const { id, identity, prompts, tools, capabilities, limits, budget, model_policy, memory } =
    config;
  return {
    id,
    config,
    configHash: configHash(config),
    workspace: config.workspace,
    systemPrompt: systemPrompt({ name: identity.name, ...prompts }),
    policy: { ...capabilities, ...tools },
    limits: ofRuns.parse(limits),
    budget,
    maxTokens: model_policy.max_tokens,
    thinkingBudget: model_policy.thinking === "enabled" ? thinkingTokens : 0,
    memoryRead: memory.read,
    model: () => models.resolve(model_policy.primary),
  };
}

/** What a run is pinned to: the same configuration has the same hash, whatever the order of its keys. */
export function configHash(agent: AgentConfig): string {
  return hashOf(agent);
}

/** The limits that runs look at. */
const ofRuns = z.object(runLimits.shape);

const storedConfig = z.strictObject({
  ...agentFile.shape,
  workspace: z.string(),
  prompts: z.strictObject({ system: z.string(), style: z.string(), safety: z.string() }),
});

/** A configuration that a run was pinned to; what came to the shape since then has its default.
 *  @returns undefined for what this code cannot read */
export function restoredConfig(json: JsonObject): AgentConfig | undefined {
  const parsed = storedConfig.safeParse(json);
  if (!parsed.success) return undefined;
  const { identity, ...config } = parsed.data;
  const name = identity.name ?? config.id;
  return {
    ...config,
    identity: { ...identity, name, public_label: identity.public_label ?? name },
  };
}
