import { agentFile } from "../schema/config/config-agent.ts";
import { mainFile } from "../schema/config/config-main.ts";
import { providerFile } from "../schema/config/config-provider.ts";
import { routingFile } from "../schema/config/config-routing.ts";
import { schedulesFile } from "../schema/config/config-schedules.ts";

/** The kinds of configuration files, each with its place in a home and its shape. */
export const configFiles = {
  main: { place: "config/main.yaml", shape: mainFile },
  agent: { place: "config/agents.d/*.yaml", shape: agentFile },
  provider: { place: "config/providers.d/*.yaml", shape: providerFile },
  routing: { place: "config/routing.yaml", shape: routingFile },
  schedules: { place: "config/schedules.yaml", shape: schedulesFile },
} as const;
