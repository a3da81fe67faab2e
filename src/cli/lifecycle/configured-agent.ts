import type { AgentConfig } from "../../schema/config/config.ts";
import type { CommandContext } from "../command-context.ts";
import { checkedConfig } from "./checked-config.ts";

/** @throws AgentError agent.not_found, home.invalid, config.invalid */
export async function configuredAgent(context: CommandContext, id: string): Promise<AgentConfig> {
  const { config } = await checkedConfig(context);
  const { agentIn } = await import("../../config/configured-agent.ts");
  return agentIn(config, id);
}
