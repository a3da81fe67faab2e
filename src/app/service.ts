import { chmodSync, mkdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { createSystemClock } from "../adapters/clock/system-clock.ts";
import type { OwnerLock } from "../adapters/engine/libsql-lock.ts";
import { createMemoryStore } from "../adapters/engine/memory-store.ts";
import type { LibsqlStore } from "../adapters/engine/libsql-store.ts";
import { openRemoteStore } from "../adapters/engine/open-remote.ts";
import { openLibsqlStore } from "../adapters/engine/open-libsql.ts";
import type { LogFile } from "../adapters/log/log-file.ts";
import { createPublicWeb } from "../adapters/web/public-web.ts";
import { formatFault } from "../config/config-fault.ts";
import type { Environment } from "../config/environment.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { type RunPaths, runPaths } from "../config/run-paths.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RowStore } from "../ports/store.ts";
import type { HiveConfig } from "../schema/config/config.ts";
import { builtInTools } from "../tools/built-in.ts";
import { createToolRegistry } from "../tools/registry.ts";
import { defaultModel } from "./agents/agent-list.ts";
import type { Api } from "./api/caller.ts";
import { createApi } from "./api/api.ts";
import { type ChatFeed, createChatFeed } from "./chat/chat-feed.ts";
import { allTables, createHiveEngine, type HiveParts } from "./hive-engine.ts";
import { keepHouse } from "./housekeeping.ts";
import { openLogging } from "./logs/open-logging.ts";
import { mirrorSessions } from "./mirror/mirror-sessions.ts";
import { createNewsBus, type NewsBus } from "./news/news.ts";
import { attachSidecar, type Sidecar } from "./news/sidecar.ts";
import { KnownSecrets } from "./config/known-secrets.ts";
import {
  type LiveConfig,
  loadOrThrow,
  makeAgentDirectories,
  openLiveConfig,
  type Reloaded,
} from "./config/live-config.ts";
import { memorySettings } from "../memory/settings.ts";
import type { MemoryService } from "./memory/memory-service.ts";
import { openMemory } from "./memory/open-memory.ts";
import { backUp } from "./database/backup.ts";
import { takeOwnership } from "./database/ownership.ts";
import { type Connections, openConnections } from "./channels/connections.ts";
import { waysIn } from "./channels/ways-in.ts";
import { drainRoot, startRoot, stopRoot, tellReloaded } from "./root.ts";
import { renewSchedules } from "./schedules/renew-schedules.ts";
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
  /** @param by who asked   @throws AgentError config.invalid, home.invalid: nothing has changed */
  reload(by: string): Promise<Reloaded>;
  /** Runs that a drain waits for. */
  working(): number;
  /** No message is taken any more; what runs has `graceMs` to end, and is told to whoever listens. Said again with less time, it
   *  is cut short. */
  drain(graceMs: number): Promise<void>;
  stop(graceMs: number): Promise<void>;
};

type Parts = {
  readonly options: ServiceOptions;
  /** What it started with. */
  readonly loaded: LoadedConfig;
  readonly live: LiveConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly logFile: LogFile;
  readonly store: RowStore;
  readonly secrets: KnownSecrets;
};

/** @throws AgentError config.invalid, engine.in_use, home.invalid, port.unavailable, store.newer, store.corrupt, store.unavailable */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { home, env } = options;
  const loaded = loadOrThrow(home, env);
  const paths = runPaths(home, env);
  makeAgentDirectories(loaded.config);
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  chmodSync(paths.directory, 0o700);
  const lock = await takeOwnership(paths.lock, loaded.config.engine);
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
  const secrets = new KnownSecrets();
  secrets.add(loaded.secrets().values);
  const clock = createSystemClock();
  const logging = openLogging({
    path: paths.log,
    settings: config.logs,
    clock,
    redact: secrets.json,
    write: writeLog,
  });
  const { log, logFile } = logging;
  for (const warning of warnings) log("warn", formatFault(warning));
  try {
    const live = await openLiveConfig({ home, env, clock, log, secrets }, loaded);
    const store = await openStore(config, loaded.secrets().databaseToken);
    const parts = { options, loaded, live, clock, secrets, store, ...logging };
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
    const told = { ...live, reload: reloadAndTell(live, { ...running, log }) };
    const described = describe({ ...parts, live: told }, { ...running, feed });
    return { ...described, paths, log, working, drain, stop, reload: told.reload };
  } catch (error) {
    await logFile.close();
    throw error;
  }
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
  readonly memory: MemoryService;
  readonly bus: NewsBus;
  readonly sidecar: Sidecar;
  readonly connections: Connections;
};

/** The engine with all that its actors reach. */
function engineOver(
  { options, live, clock, log, store, secrets }: Parts,
  { connections, memory }: Pick<Running, "connections" | "memory">,
): Engine {
  return createHiveEngine({
    memory: memory.parts,
    recallTokens: () => memorySettings(live.now().memory).recall_tokens,
    channels: connections.channels,
    store,
    clock,
    log,
    agents: live.agents,
    redactor: secrets,
    costOf: live.costOf,
    dayBudget: () => live.now().budget.day,
    consolidation: () => live.now().memory.consolidation,
    tools: createToolRegistry(builtInTools),
    web: createPublicWeb(),
    connectors: () => waysIn(live.now()),
    ...shownOf(live),
    maxConcurrentRuns: () => live.now().runs.max_concurrent,
    ...(options.faultPoint === undefined ? {} : { faultPoint: options.faultPoint }),
  });
}

async function startEngine(parts: Parts): Promise<Running> {
  const { loaded, live, clock, log } = parts;
  const connections = await openConnections({ live, clock, log });
  const memory = await openMemory({ loaded, clock, log });
  const engine = engineOver(parts, { connections, memory });
  memory.attach(engine);
  const bus = createNewsBus(engine);
  const sidecar = attachSidecar({ bus, log, clock, level: live.now().logs.level });
  const endMirror = mirrorUnlessGone(parts, { engine, bus });
  await connections.listen();
  try {
    const startedAt = clock.now();
    await memory.clear();
    const { wasCrash } = await startActors(engine, log);
    memory.follow(bus);
    await connections.start(engine, bus, { startedAt, wasCrash });
    await renewSchedules(engine, live.now());
  } catch (error) {
    await memory.stop();
    await memory.close();
    await connections.close();
    throw error;
  }
  const stopHousekeeping = startHousekeeping(parts, engine, memory);
  let draining: Promise<void> | undefined;
  const drain = async (graceMs: number) => {
    stopHousekeeping();
    await (draining ??= drainRoot(engine, log));
    await engine.drain(graceMs);
  };
  const stop = async (graceMs: number) => {
    await drain(graceMs);
    await stopRoot(engine, log);
    await endMirror();
    await memory.stop();
    await engine.close();
    await memory.close();
    await connections.close();
    await setImmediate(); // what was published last is heard by now
    log("info", "the engine has stopped");
  };
  return { engine, memory, bus, sidecar, connections, drain, stop };
}

/** What is gone with the process needs no second copy. */
function mirrorUnlessGone(parts: Parts, running: Pick<Running, "engine" | "bus">) {
  const { options, live, clock, log } = parts;
  if (live.now().engine.type === "memory") return () => Promise.resolve();
  return mirrorSessions({ home: options.home, ...running, clock, log });
}

function startHousekeeping(
  { live, store, clock, log }: Parts,
  engine: Engine,
  memory: MemoryService,
): () => void {
  const reclaim = "reclaim" in store ? () => (store as LibsqlStore).reclaim() : undefined;
  return keepHouse({
    engine,
    clock,
    log,
    retention: () => live.now().engine.retention,
    tidyMemory: () => memory.tidy(live.now().engine.retention.memory_megabytes * 1_000_000),
    workspaces: () =>
      live.now().agents.flatMap(({ id }) => {
        const agent = live.agents.get(id);
        return agent === undefined ? [] : [agent];
      }),
    ...(reclaim === undefined ? {} : { reclaim }),
  });
}

function shownOf(live: LiveConfig): Pick<HiveParts, "historyMessages" | "context"> {
  return {
    historyMessages: () => live.now().sessions.history_messages,
    context: () => {
      const { context_strategy, max_context_tokens, episodes } = live.now().sessions;
      return { strategy: context_strategy, maxTokens: max_context_tokens, episodes };
    },
  };
}

async function startActors(engine: Engine, log: Log): ReturnType<typeof startRoot> {
  const report = await engine.start();
  log("info", "the engine has started", { ...report, quarantined: report.quarantined.length });
  for (const address of report.quarantined)
    log("warn", "an actor was set aside at start", { address });
  return startRoot(engine);
}

type Reloading = Pick<Running, "engine" | "connections"> & { readonly log: Log };

function reloadAndTell(
  { reload, now }: LiveConfig,
  { engine, connections, log }: Reloading,
): LiveConfig["reload"] {
  return async (by) => {
    const reloaded = await reload(by);
    await tellReloaded(engine, log, { by, changes: reloaded });
    const warnings = await connections.renew(engine);
    await renewSchedules(engine, now());
    return { ...reloaded, warnings: [...reloaded.warnings, ...warnings] };
  };
}

type Described = Running & { readonly feed: ChatFeed };

function describe(parts: Parts, running: Described): Pick<Service, "model" | "api"> {
  const { options, live, clock, logFile, secrets } = parts;
  const { engine, memory, bus, sidecar, feed } = running;
  const startedAt = clock.now();
  const { version } = options;
  const started = live.now();
  return {
    model: defaultModel(live),
    api: (shutdown) =>
      createApi({
        engine,
        clock,
        bus,
        sidecar,
        logFile,
        feed,
        live,
        redact: secrets.json,
        version,
        startedAt,
        shutdown,
        memory: async () => memory.desk(),
        backUp: (file) => backUp(started.engine, file),
      }),
  };
}
