import type { AgentConfig } from "../../schema/config.ts";
import { AgentError } from "../../schema/errors.ts";
import type { CommandContext } from "../command-context.ts";
import { checkedConfig } from "./checked-config.ts";

/** @throws AgentError agent.not_found, home.invalid, config.invalid */
export async function configuredAgent(context: CommandContext, id: string): Promise<AgentConfig> {
  const { config } = await checkedConfig(context);
  const found = config.agents.find((agent) => agent.id === id);
  if (found !== undefined) return found;
  const known = config.agents.map((agent) => agent.id).join(", ");
  throw new AgentError(
    "agent.not_found",
    `There is no agent ${JSON.stringify(id)}; there are: ${known}.`,
    { hint: "each agent is a file in config/agents.d" },
  );
}
