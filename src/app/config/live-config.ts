import type { Agents } from "../../actors/agent.ts";
import { OneAtATime } from "../../adapters/turns/one-at-a-time.ts";
import type { ModelRegistry } from "../../adapters/model/registry.ts";
import {
  type ConfigChanges,
  configChanges,
  waitingForRestart,
} from "../../config/config-changes.ts";
import { formatFault } from "../../config/config-fault.ts";
import { configInvalid } from "../../config/config-invalid.ts";
import type { ConnectorSecrets } from "../../config/connector-secrets.ts";
import type { Environment } from "../../config/environment.ts";
import { makeHomeDirectories } from "../../config/home.ts";
import { loadConfig, type LoadedConfig } from "../../config/load-config.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { toErrorData } from "../../schema/errors.ts";
import type { Costs } from "../models/prices.ts";
import { createAgentRegistry } from "../agents/agent-registry.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { answeringBy } from "../models/providers.ts";

/** The configuration that the service works with: read again when somebody asks, and then taken over whole or not at all. */
export type LiveConfig = {
  readonly agents: Agents;
  readonly models: ModelRegistry;
  readonly costOf: Costs;
  /** Undefined: no connector is called so. */
  connectorSecrets(id: string): ConnectorSecrets | undefined;
  now(): HiveConfig;
  /** What is on disk, if the last look at it found faults. */
  broken(): BrokenConfig | null;
  /** @param by who asked, for the log
   *  @throws AgentError config.invalid, home.invalid: nothing has changed */
  reload(by: string): Promise<Reloaded>;
};

export type BrokenConfig = { readonly since: number; readonly message: string };

export type Reloaded = ConfigChanges & {
  readonly needs_restart: readonly string[];
  /** Settings without effect, a line each. */
  readonly warnings: readonly string[];
};

export type LiveConfigOptions = {
  readonly home: string;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: KnownSecrets;
};

/** @throws AgentError config.invalid (`details.faults`) */
export function loadOrThrow(home: string, env: Environment): LoadedConfig {
  const loaded = loadConfig(home, env);
  if (loaded.ok) return loaded;
  throw configInvalid(loaded.faults);
}

/** @param loaded what the service starts with */
export async function openLiveConfig(
  options: LiveConfigOptions,
  loaded: LoadedConfig,
): Promise<LiveConfig> {
  const { home, env, clock, log, secrets } = options;
  let answering = answeringBy(loaded);
  const models: ModelRegistry = { resolve: (name) => answering.models.resolve(name) };
  const agents = createAgentRegistry(models);
  const started = loaded.config;
  let config = started;
  let { connectors } = loaded.secrets();
  let broken: BrokenConfig | null = null;

  /** From here to the end nothing waits, so that no step sees a half of it. */
  const useAll = (next: LoadedConfig, useAgents: () => void) => {
    secrets.add(next.secrets().values);
    answering = answeringBy(next);
    useAgents();
    config = next.config;
    ({ connectors } = next.secrets());
    broken = null;
  };

  async function read(): Promise<Reloaded> {
    const next = loadOrThrow(home, env);
    makeAgentDirectories(next.config);
    const useAgents = await agents.prepare(next.config);
    const before = config;
    useAll(next, useAgents);
    return {
      ...configChanges(before, config),
      needs_restart: waitingForRestart(started, config),
      warnings: next.warnings.map(formatFault),
    };
  }

  async function reload(by: string): Promise<Reloaded> {
    try {
      const reloaded = await read();
      log("info", "the configuration was read again", { by, ...reloaded });
      return reloaded;
    } catch (thrown) {
      const { code, message } = toErrorData(thrown);
      broken = { since: broken?.since ?? clock.now(), message };
      log("warn", "the configuration on disk is not taken over", { by, code, message });
      throw thrown;
    }
  }

  const turns = new OneAtATime();
  useAll(loaded, await agents.prepare(started));
  return {
    agents,
    models,
    costOf: (model, usage) => answering.costOf(model, usage),
    connectorSecrets: (id) => connectors.get(id),
    now: () => config,
    broken: () => broken,
    reload: (by) => turns.run(() => reload(by)),
  };
}

export function makeAgentDirectories({ home, agents }: HiveConfig): void {
  makeHomeDirectories(
    home,
    agents.map(({ id }) => id),
  );
}
