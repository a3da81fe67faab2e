import { agentIn } from "../../config/configured-agent.ts";
import type { ModelRegistry } from "../../adapters/model/registry.ts";
import { showConfig } from "../../config/show-config.ts";
import type { AgentConfig, HiveConfig } from "../../schema/config/config.ts";
import { isToolToCome } from "../../schema/config/config-tools.ts";
import { promptParts } from "../../schema/config/config.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { ShownAgent, ShownAgentDetails } from "../../schema/shown/shown.ts";
import { choose } from "../models/choose.ts";
import { configHash } from "./agent-settings.ts";

/** The agents of a configuration as people see them, with the service and without it. */

export type AgentSource = { now(): HiveConfig; readonly models: ModelRegistry };

export function listAgents({ now, models }: AgentSource): readonly ShownAgent[] {
  const config = now();
  return config.agents.map((agent) => shownAgent(config, agent, models));
}

/** @throws AgentError agent.not_found */
export function listedAgent({ now, models }: AgentSource, id: string): ShownAgent {
  const config = now();
  return shownAgent(config, agentIn(config, id), models);
}

/** @throws AgentError agent.not_found */
export function showAgent({ now, models }: AgentSource, id: string): ShownAgentDetails {
  const config = now();
  const agent = agentIn(config, id);
  const { agents } = showConfig({ ...config, agents: [agent] });
  return {
    ...shownAgent(config, agent, models),
    config: (agents as unknown as readonly JsonObject[])[0] ?? {},
    prompts: promptParts
      .filter((part) => agent.prompts[part] !== "")
      .map((part) => `prompts/${id}/${part}.md`),
    bindings: config.routing.bindings.filter(({ agent: target }) => target === id),
  };
}

/** Who answers for the default agent: `offline/rules`, or why nobody does. */
export function defaultModel({ now, models }: AgentSource): string {
  const { agents, routing } = now();
  const agent = agents.find(({ id }) => id === routing.default_agent);
  const { name, error } = choose(models, agent?.model_policy.primary ?? "auto");
  return name ?? `none (${error})`;
}

function shownAgent(config: HiveConfig, agent: AgentConfig, models: ModelRegistry): ShownAgent {
  const { id, identity, enabled, tools, model_policy } = agent;
  const { name: model, error: model_fault } = choose(models, model_policy.primary);
  return {
    id,
    name: identity.name,
    label: identity.public_label,
    emoji: identity.emoji,
    state: enabled ? "enabled" : "disabled",
    is_default: config.routing.default_agent === id,
    model,
    model_fault,
    tools: tools.allow.filter((name) => !isToolToCome(name)),
    config_hash: configHash(agent),
  };
}
