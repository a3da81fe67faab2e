import { chmodSync, mkdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Agents } from "../actors/agent.ts";
import { createSystemClock } from "../adapters/clock/system-clock.ts";
import { acquireOwnerLock, type OwnerLock } from "../adapters/engine/libsql-lock.ts";
import { createMemoryStore } from "../adapters/engine/memory-store.ts";
import type { LibsqlStore } from "../adapters/engine/libsql-store.ts";
import { openRemoteStore } from "../adapters/engine/open-remote.ts";
import { openLibsqlStore } from "../adapters/engine/open-libsql.ts";
import type { LogFile } from "../adapters/log/log-file.ts";
import { createModelRegistry, type ModelRegistry } from "../adapters/model/registry.ts";
import { createPublicWeb } from "../adapters/web/public-web.ts";
import { formatFault } from "../config/config-fault.ts";
import type { Environment } from "../config/environment.ts";
import { makeHomeDirectories } from "../config/home.ts";
import { loadConfig, type LoadedConfig } from "../config/load-config.ts";
import { type RunPaths, runPaths } from "../config/run-paths.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Engine } from "../engine/engine.ts";
import { createRedactor, type Redactor } from "../policy/redaction.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RowStore } from "../ports/store.ts";
import type { HiveConfig } from "../schema/config.ts";
import { AgentError } from "../schema/errors.ts";
import { builtInTools } from "../tools/built-in.ts";
import { createToolRegistry } from "../tools/registry.ts";
import { createAgentRegistry } from "./agent-registry.ts";
import type { Api } from "./api/caller.ts";
import { createApi } from "./api/api.ts";
import { type ChatFeed, createChatFeed } from "./chat-feed.ts";
import { allTables, createHiveEngine } from "./hive-engine.ts";
import { keepHouse } from "./housekeeping.ts";
import { openLogging } from "./logs/open-logging.ts";
import { createNewsBus, type NewsBus } from "./news/news.ts";
import { attachSidecar, type Sidecar } from "./news/sidecar.ts";
import { createCosts } from "./prices.ts";
import { backUp } from "./backup.ts";
import { createProviders } from "./providers.ts";
import { drainRoot, startRoot, stopRoot } from "./root.ts";
import { workingRuns } from "./working-runs.ts";

export type ServiceOptions = {
  readonly home: string;
  readonly env: Environment;
  readonly version: string;
  /** Takes one line of the log, with its end, beside the file that it goes to. */
  readonly writeLog: (line: string) => void;
  /** Called at each place where a crash is interesting; for tests. */
  readonly faultPoint?: (label: string) => void;
};

/** Everything that runs, but for who talks to it. */
export type Service = {
  readonly paths: RunPaths;
  readonly log: Log;
  /** Who answers for the default agent: `offline/rules`. */
  readonly model: string;
  api(shutdown: (graceMs: number) => void): Api;
  /** Runs that a drain waits for. */
  working(): number;
  /** No message is taken any more; what runs has `graceMs` to end, and is told to whoever listens. Said again with less time, it
   *  is cut short. */
  drain(graceMs: number): Promise<void>;
  stop(graceMs: number): Promise<void>;
};

type Parts = {
  readonly options: ServiceOptions;
  readonly config: HiveConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly logFile: LogFile;
  readonly store: RowStore;
  readonly models: ModelRegistry;
  readonly agents: Agents;
  readonly redactor: Redactor;
  readonly costOf: ReturnType<typeof createCosts>;
};

/** @throws AgentError config.invalid, engine.in_use, home.invalid, store.newer, store.corrupt, store.unavailable */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { home, env } = options;
  const loaded = loadedConfig(options);
  const { config } = loaded;
  const paths = runPaths(home, env);
  makeHomeDirectories(
    home,
    config.agents.map(({ id }) => id),
  );
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  chmodSync(paths.directory, 0o700);
  const lock = await acquireOwnerLock(paths.lock);
  try {
    return await createLogged(options, loaded, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Whoever holds the lock opens the log: no two services write it. */
async function createLogged(
  options: ServiceOptions,
  loaded: LoadedConfig,
  lock: OwnerLock,
): Promise<Service> {
  const { home, env, writeLog } = options;
  const { config, warnings } = loaded;
  const paths = runPaths(home, env);
  const secrets = loaded.secrets();
  const redactor = createRedactor(secrets.values);
  const clock = createSystemClock();
  const logging = openLogging({
    path: paths.log,
    settings: config.logs,
    clock,
    redact: redactor.json,
    write: writeLog,
  });
  const { log, logFile } = logging;
  for (const warning of warnings) log("warn", formatFault(warning));
  try {
    const parts = await createParts({ options, config, clock, redactor, ...logging }, secrets);
    const running = await startEngine(parts);
    const feed = createChatFeed(running.engine, running.bus);
    const drain = async (graceMs: number) => {
      await running.drain(graceMs);
      await feed.settled();
    };
    const stop = async (graceMs: number) => {
      await running.stop(graceMs);
      await logFile.close();
      await lock.release();
    };
    const working = () => workingRuns(running.engine);
    return { ...describe(parts, { ...running, feed }), paths, log, working, drain, stop };
  } catch (error) {
    await logFile.close();
    throw error;
  }
}

function loadedConfig({ home, env }: ServiceOptions): LoadedConfig {
  const loaded = loadConfig(home, env);
  if (loaded.ok) return loaded;
  const faults = loaded.faults.map(formatFault);
  throw new AgentError(
    "config.invalid",
    `The configuration has ${faults.length} fault(s):\n${faults.join("\n")}`,
    {
      hint: "mend them; `statehive config validate` checks again",
      details: { faults },
    },
  );
}

type Base = Omit<Parts, "store" | "models" | "agents" | "costOf">;

async function createParts(base: Base, secrets: Secrets): Promise<Parts> {
  const { config } = base;
  const providers = createProviders(config.providers, secrets.apiKeys);
  const models = createModelRegistry(providers);
  const costOf = createCosts(config.prices, providers);
  const agents = createAgentRegistry(models);
  const use = await agents.prepare(config);
  use();
  const store = await openStore(config, secrets.databaseToken);
  return { ...base, store, models, agents, costOf };
}

function openStore({ engine }: HiveConfig, authToken: string | undefined): Promise<RowStore> {
  const { type, url, durability } = engine;
  if (type === "memory") return Promise.resolve(createMemoryStore({ tables: allTables }));
  if (url.startsWith("file:")) return openLibsqlStore({ url, tables: allTables, durability });
  const token = authToken === undefined ? {} : { authToken };
  return openRemoteStore({ url, tables: allTables, ...token });
}

type Running = Pick<Service, "drain" | "stop"> & {
  readonly engine: Engine;
  readonly bus: NewsBus;
  readonly sidecar: Sidecar;
};

async function startEngine(parts: Parts): Promise<Running> {
  const { options, config, clock, log, store, agents, redactor, costOf } = parts;
  const engine = createHiveEngine({
    store,
    clock,
    log,
    agents,
    redact: redactor.json,
    redactStream: redactor.stream,
    costOf,
    tools: createToolRegistry(builtInTools),
    web: createPublicWeb(),
    historyMessages: () => config.sessions.history_messages,
    maxConcurrentRuns: () => config.runs.max_concurrent,
    ...(options.faultPoint === undefined ? {} : { faultPoint: options.faultPoint }),
  });
  const bus = createNewsBus(engine);
  const sidecar = attachSidecar({ bus, log, clock, level: config.logs.level });
  const report = await engine.start();
  log("info", "the engine has started", { ...report, quarantined: report.quarantined.length });
  for (const address of report.quarantined)
    log("warn", "an actor was set aside at start", { address });
  await startRoot(engine);
  const { retention } = config.engine;
  const reclaim = "reclaim" in store ? () => (store as LibsqlStore).reclaim() : undefined;
  const stopHousekeeping = keepHouse({
    engine,
    clock,
    log,
    retention,
    workspaces: () =>
      config.agents.flatMap(({ id }) => {
        const agent = agents.get(id);
        return agent === undefined ? [] : [agent.files];
      }),
    ...(reclaim === undefined ? {} : { reclaim }),
  });
  let draining: Promise<void> | undefined;
  const drain = async (graceMs: number) => {
    stopHousekeeping();
    await (draining ??= drainRoot(engine, log));
    await engine.drain(graceMs);
  };
  const stop = async (graceMs: number) => {
    await drain(graceMs);
    await stopRoot(engine, log);
    await engine.close();
    await setImmediate(); // what was published last is heard by now
    log("info", "the engine has stopped");
  };
  return { engine, bus, sidecar, drain, stop };
}

type Described = Running & { readonly feed: ChatFeed };

function describe(parts: Parts, running: Described): Pick<Service, "model" | "api"> {
  const { options, config, models, agents, clock, logFile } = parts;
  const { engine, bus, sidecar, feed } = running;
  const enabled = config.agents.filter((agent) => agent.enabled);
  const defaultAgent = config.routing.default_agent;
  const model = modelName(
    models,
    enabled.find(({ id }) => id === defaultAgent)?.model_policy.primary ?? "auto",
  );
  const startedAt = clock.now();
  const { version, home } = options;
  const names = enabled.map(({ id }) => id);
  return {
    model,
    api: (shutdown) =>
      createApi({
        engine,
        clock,
        bus,
        sidecar,
        logFile,
        feed,
        agents,
        defaultAgent,
        version,
        home,
        startedAt,
        now: clock.now,
        agentIds: names,
        model,
        sessions: () => {
          const { ttl_minutes, queue } = config.sessions;
          return { ttlMs: ttl_minutes * 60_000, queue };
        },
        shutdown,
        backUp: (file) => backUp(config.engine, file),
      }),
  };
}

function modelName(models: ModelRegistry, primary: string): string {
  try {
    const { provider, model } = models.resolve(primary);
    return `${provider.id}/${model}`;
  } catch (error) {
    if (error instanceof AgentError) return `none (${error.message})`;
    throw error;
  }
}
