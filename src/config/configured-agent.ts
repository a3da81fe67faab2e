import type { AgentConfig, HiveConfig } from "../schema/config/config.ts";
import { AgentError } from "../schema/errors.ts";

/** @throws AgentError agent.not_found */
export function agentIn({ agents }: Pick<HiveConfig, "agents">, id: string): AgentConfig {
  const found = agents.find((agent) => agent.id === id);
  if (found !== undefined) return found;
  throw noSuchAgent(
    id,
    agents.map((agent) => agent.id),
  );
}

export function noSuchAgent(id: string, known: readonly string[]): AgentError {
  return new AgentError(
    "agent.not_found",
    `There is no agent ${JSON.stringify(id)}; there are: ${known.join(", ")}.`,
    { hint: "`statehive agents list` shows them" },
  );
}
