import { join, resolve } from "node:path";
import type { AgentConfig, HiveConfig, MainConfig, ProviderConfig } from "../schema/config.ts";
import { agentFile, baseUrl, baseUrlForm, mainFile, providerFile } from "../schema/config.ts";
import type { PromptsRead } from "./agent-files.ts";
import { readPrompts, workspaceFaults, workspaceOf } from "./agent-files.ts";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { collectSources } from "./config-sources.ts";
import type { Environment } from "./environment.ts";
import { absenceFaults, referenceFaults } from "./references.ts";
import { readSecret } from "./secrets.ts";
import type { ConfigSource, ShapeResult } from "./shape-faults.ts";
import { checkShape } from "./shape-faults.ts";

/** The whole configuration or all that is wrong with it; never a part of either. */
export type LoadResult =
  | { readonly ok: true; readonly config: HiveConfig; readonly sources: readonly string[] }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

const baseUrlVariable = "ANTHROPIC_BASE_URL";

/** Reads `<home>/config` and `<home>/prompts`. `sources` are the YAML files that were read. */
export function loadConfig(home: string, env: Environment): LoadResult {
  const absoluteHome = resolve(home);
  const collected = collectSources(absoluteHome);
  const { sources } = collected;
  const found = new Findings();
  found.faults.push(...collected.faults, ...absenceFaults(join(absoluteHome, "config"), sources));
  found.faults.push(...referenceFaults(sources), ...environmentFaults(env));
  const main = found.take(sources.main === null ? emptyMain : checkShape(sources.main, mainFile));
  const providers = sources.providers.map((source) =>
    loadProvider(found, source, { home: absoluteHome, env }),
  );
  const agents = sources.agents.map((source) => loadAgent(found, source, absoluteHome));
  if (found.faults.length > 0 || main === null) return { ok: false, faults: found.inOrder() };
  const config = {
    ...withEngineFile(main, absoluteHome),
    home: absoluteHome,
    providers: providers.filter((provider) => provider !== null),
    agents: agents.filter((agent) => agent !== null),
  };
  const read = [sources.main, ...sources.providers, ...sources.agents].filter(
    (source) => source !== null,
  );
  return { ok: true, config, sources: read.map((source) => source.file) };
}

const emptyMain: ShapeResult<MainConfig> = { ok: true, value: mainFile.parse({}) };

class Findings {
  readonly faults: ConfigFault[] = [];

  take<T>(result: ShapeResult<T>): T | null {
    if (result.ok) return result.value;
    this.faults.push(...result.faults);
    return null;
  }

  inOrder(): ConfigFault[] {
    return this.faults.toSorted(
      (left, right) =>
        compareText(left.file, right.file) || left.line - right.line || left.column - right.column,
    );
  }
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

type Surroundings = { readonly home: string; readonly env: Environment };

function loadProvider(
  found: Findings,
  source: ConfigSource,
  { home, env }: Surroundings,
): ProviderConfig | null {
  const provider = found.take(checkShape(source, providerFile));
  if (provider === null || provider.type === "offline") return provider;
  const secret = readSecret(provider.api_key, { home, env });
  if (secret.kind === "fault") {
    const path = ["api_key"];
    found.faults.push(
      faultIn(source.file, secret.message, { place: source.tree.valuePlace(path), path }),
    );
  }
  const url = env[baseUrlVariable] || provider.base_url;
  return { ...provider, base_url: url.replace(/\/+$/, "") };
}

function loadAgent(found: Findings, source: ConfigSource, home: string): AgentConfig | null {
  found.faults.push(...workspaceFaults(home, source));
  const agent = found.take(checkShape(source, agentFile));
  if (agent === null) return null;
  const { prompts, faults }: PromptsRead = readPrompts(home, source, agent.id);
  found.faults.push(...faults);
  const name = agent.identity.name ?? agent.id;
  const identity = { ...agent.identity, name, public_label: agent.identity.public_label ?? name };
  return { ...agent, identity, workspace: workspaceOf(home, agent.id, agent.workspace), prompts };
}

function withEngineFile(main: MainConfig, home: string): MainConfig {
  if (!main.engine.url.startsWith("file:")) return main;
  const path = main.engine.url.slice("file:".length);
  return { ...main, engine: { ...main.engine, url: `file:${resolve(home, path)}` } };
}

function environmentFaults(env: Environment): ConfigFault[] {
  const url = env[baseUrlVariable];
  if (url === undefined || url === "" || baseUrl.safeParse(url).success) return [];
  return [
    faultIn("environment", "not in the right form", {
      path: [baseUrlVariable],
      expected: baseUrlForm,
    }),
  ];
}
