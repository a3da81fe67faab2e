import type { z } from "zod";
import type { agentFile } from "./config-agent.ts";
import type { mainFile } from "./config-main.ts";
import type { providerFile } from "./config-provider.ts";
import type { routingFile } from "./config-routing.ts";
import type { schedulesFile } from "./config-schedules.ts";

/** The configuration as the service uses it. The shapes of the files are in config-main.ts, config-agent.ts and so on: they
 *  are the one source of defaults, ranges, docs/configuration.md, the JSON schemas and fault messages. */

export const promptParts = ["system", "style", "safety"] as const;
export type PromptPart = (typeof promptParts)[number];
export type AgentPrompts = { readonly [part in PromptPart]: string };

type DeepReadonly<T> = T extends object ? { readonly [key in keyof T]: DeepReadonly<T[key]> } : T;

export type MainConfig = DeepReadonly<z.output<typeof mainFile>>;
export type ProviderConfig = DeepReadonly<z.output<typeof providerFile>>;
export type ScheduleConfig = DeepReadonly<z.output<typeof schedulesFile>>[number];

type AgentFile = DeepReadonly<z.output<typeof agentFile>>;
type RoutingFile = DeepReadonly<z.output<typeof routingFile>>;

/** One agent with everything resolved: absolute workspace and roots, names filled in, texts of its prompts ("" where there
 *  is none). */
export type AgentConfig = Omit<AgentFile, "workspace" | "identity"> & {
  readonly identity: Omit<AgentFile["identity"], "name" | "public_label"> & {
    readonly name: string;
    readonly public_label: string;
  };
  readonly workspace: string;
  readonly prompts: AgentPrompts;
};

export type RoutingConfig = Omit<RoutingFile, "default_agent"> & {
  /** The one that is named, else `main`, else the first enabled one. */
  readonly default_agent: string;
};

/** The whole configuration of one home. Holds references to secrets, never their values; paths and `engine.url` are absolute. */
export type HiveConfig = MainConfig & {
  readonly home: string;
  readonly routing: RoutingConfig;
  readonly schedules: readonly ScheduleConfig[];
  readonly providers: readonly ProviderConfig[];
  readonly agents: readonly AgentConfig[];
};
