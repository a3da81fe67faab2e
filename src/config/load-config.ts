import { join, resolve } from "node:path";
import type {
  AgentConfig,
  HiveConfig,
  MainConfig,
  ProviderConfig,
  RoutingConfig,
} from "../schema/config/config.ts";
import { agentFile } from "../schema/config/config-agent.ts";
import { mainFile } from "../schema/config/config-main.ts";
import { providerFile } from "../schema/config/config-provider.ts";
import { routingFile } from "../schema/config/config-routing.ts";
import { schedulesFile } from "../schema/config/config-schedules.ts";
import { readPrompts, workspaceFaults, workspaceOf } from "./agent-files.ts";
import { baseUrlFaults, baseUrlOf } from "./base-urls.ts";
import type { ConfigFault } from "./config-fault.ts";
import { collectSources, filesOf } from "./config-sources.ts";
import type { ConfigSources } from "./config-sources.ts";
import type { Environment } from "./environment.ts";
import { Findings } from "./findings.ts";
import type { Drafts } from "./home-files.ts";
import { HomeFiles } from "./home-files.ts";
import { absenceFaults, referenceFaults } from "./references.ts";
import type { Secrets } from "./secrets.ts";
import { readSecrets } from "./secrets.ts";
import type { Setting } from "./settings.ts";
import { settingsOf } from "./settings.ts";
import type { ConfigSource } from "./shape-faults.ts";

export type LoadedConfig = {
  readonly ok: true;
  readonly config: HiveConfig;
  /** The YAML files that were read. */
  readonly sources: readonly string[];
  /** Settings that this version does not act on. */
  readonly warnings: readonly ConfigFault[];
  /** Each setting with its origin. */
  readonly settings: () => readonly Setting[];
  /** A function, so that printing the result prints no secret. */
  readonly secrets: () => Secrets;
};

/** The whole configuration or all that is wrong with it; never a part of either. */
export type LoadResult =
  | LoadedConfig
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

/** Reads `<home>/config`, `<home>/prompts` and the secrets they refer to, each file once.
 *  @param drafts texts to judge in place of files */
export function loadConfig(home: string, env: Environment, drafts: Drafts = new Map()): LoadResult {
  const absoluteHome = resolve(home);
  const files = new HomeFiles(drafts);
  const { sources, faults } = collectSources(absoluteHome, files);
  const { secrets, faults: secretFaults } = readSecrets(sources, { home: absoluteHome, env });
  const found = new Findings();
  found.faults.push(...faults, ...absenceFaults(join(absoluteHome, "config"), sources));
  found.faults.push(...referenceFaults(sources), ...secretFaults, ...baseUrlFaults(env));
  const config = readConfig(found, sources, { home: absoluteHome, env, files });
  if (found.faults.length > 0 || config === null) return { ok: false, faults: found.inOrder() };
  const { warnings, reads } = found;
  const settings = () => settingsOf(reads, { home: absoluteHome, env });
  const read = filesOf(sources);
  return { ok: true, config, sources: read, warnings, settings, secrets: () => secrets };
}

type Surroundings = {
  readonly home: string;
  readonly env: Environment;
  readonly files: HomeFiles;
};

function readConfig(
  found: Findings,
  sources: ConfigSources,
  surroundings: Surroundings,
): HiveConfig | null {
  const { home } = surroundings;
  const main = found.read(sources.main, mainFile) ?? mainFile.parse({});
  const routing = found.read(sources.routing, routingFile) ?? routingFile.parse({});
  const schedules = found.read(sources.schedules, schedulesFile) ?? [];
  const providers = sources.providers.map((source) => readProvider(found, source, surroundings));
  const agents = sources.agents.map((source) => readAgent(found, source, surroundings));
  if (found.faults.length > 0) return null;
  const present = agents.filter((agent) => agent !== null);
  return {
    ...withEngineFile(withEmbeddingServer(main, surroundings), home),
    home,
    routing: { ...routing, default_agent: defaultAgent(routing.default_agent, present) },
    schedules,
    providers: providers.filter((provider) => provider !== null),
    agents: present,
  };
}

function readProvider(
  found: Findings,
  source: ConfigSource,
  { env }: Surroundings,
): ProviderConfig | null {
  const provider = found.read(source, providerFile);
  if (provider === null || provider.type === "offline") return provider;
  return { ...provider, base_url: baseUrlOf(provider, env) };
}

function readAgent(
  found: Findings,
  source: ConfigSource,
  { home, files }: Surroundings,
): AgentConfig | null {
  const { prompts, faults } = readPrompts(home, source, files);
  found.faults.push(...workspaceFaults(home, source), ...faults);
  const agent = found.read(source, agentFile);
  if (agent === null) return null;
  const name = agent.identity.name ?? agent.id;
  const identity = { ...agent.identity, name, public_label: agent.identity.public_label ?? name };
  const workspace = workspaceOf(home, agent.id, agent.workspace);
  const roots = agent.roots.map((root) => resolve(home, root));
  return { ...agent, identity, workspace, roots, prompts };
}

function defaultAgent(
  named: string | null,
  agents: readonly AgentConfig[],
): RoutingConfig["default_agent"] {
  const enabled = agents.filter((agent) => agent.enabled);
  const usual = enabled.find(({ id }) => id === "main") ?? enabled[0];
  return named ?? usual?.id ?? "main";
}

/** The variable that leads providers of OpenAI's protocol elsewhere leads the embedder there too. */
function withEmbeddingServer(main: MainConfig, { env }: Surroundings): MainConfig {
  const { embeddings } = main;
  const base_url = baseUrlOf({ type: "openai", base_url: embeddings.base_url }, env);
  return { ...main, embeddings: { ...embeddings, base_url } };
}

function withEngineFile(main: MainConfig, home: string): MainConfig {
  if (!main.engine.url.startsWith("file:")) return main;
  const path = main.engine.url.slice("file:".length);
  return { ...main, engine: { ...main.engine, url: `file:${resolve(home, path)}` } };
}
