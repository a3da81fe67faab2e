import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { chatHandlers, sessionRules } from "../../src/app/api/chat.ts";
import { createChatFeed } from "../../src/app/chat/chat-feed.ts";
import { KnownSecrets } from "../../src/app/config/known-secrets.ts";
import {
  type LiveConfig,
  loadOrThrow,
  makeAgentDirectories,
  openLiveConfig,
} from "../../src/app/config/live-config.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import { startRoot } from "../../src/app/root.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import type { Results } from "../../src/schema/socket/protocol.ts";
import { createTestHive, type TestHive } from "./hive.ts";

/** A hive whose agents are read from a home on disk, as in a service; rows and time are a test's own. */

export type ConfiguredHive = {
  readonly hive: TestHive;
  readonly live: LiveConfig;
  readonly secrets: KnownSecrets;
  readonly logged: readonly (readonly [message: string, fields: JsonObject])[];
  /** Writes a file of the home. */
  edit(path: string, text: string): void;
  send(text: string, to?: { agent?: string; session?: string }): Promise<Results["chat.send"]>;
  /** The service ends; another starts on its rows. */
  restart(): Promise<ConfiguredHive>;
};

export type Outside = {
  readonly env?: { readonly [name: string]: string };
  readonly store?: ReturnType<typeof createMemoryStore>;
  readonly clock?: ReturnType<typeof createSimulatedClock>;
};

export async function configuredHive(home: string, outside: Outside = {}): Promise<ConfiguredHive> {
  const { env = {} } = outside;
  const clock = outside.clock ?? createSimulatedClock(1_000_000);
  const store = outside.store ?? createMemoryStore({ tables: allTables, strict: true });
  const loaded = loadOrThrow(home, env);
  makeAgentDirectories(loaded.config);
  const secrets = new KnownSecrets();
  const logged: (readonly [string, JsonObject])[] = [];
  const log = (_level: string, message: string, fields: JsonObject = {}) =>
    void logged.push([message, fields]);
  const live = await openLiveConfig({ home, env, clock, log, secrets }, loaded);
  const hive = await createTestHive({
    store,
    clock,
    agents: live.agents,
    redactor: secrets,
    costOf: live.costOf,
    maxConcurrentRuns: () => live.now().runs.max_concurrent,
  });
  await startRoot(hive.engine);
  const { engine } = hive;
  const chat = chatHandlers({
    engine,
    agents: live.agents,
    feed: createChatFeed(engine, createNewsBus(engine)),
    routing: () => live.now().routing,
    sessions: () => sessionRules(live.now()),
  });
  const caller = {
    origin: "cli",
    name: "cli",
    notify: () => {},
    introduce: () => {},
    drained: async () => {},
    onEnd: () => () => {},
  } as const;
  return {
    hive,
    live,
    secrets,
    logged,
    edit: (path, text) => writeFileSync(join(home, path), text),
    send: (text, to = {}) => chat["chat.send"]({ chat: "c", text, ...to }, caller),
    async restart() {
      await engine.close();
      return configuredHive(home, { env, clock, store: store.crash() });
    },
  };
}
