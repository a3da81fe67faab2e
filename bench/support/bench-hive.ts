import { sessionAddress, sessionKey } from "../../src/actors/session-key.ts";
import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import type { Durability } from "../../src/adapters/engine/libsql-store.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { createScriptedWeb } from "../../src/adapters/web/scripted-web.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { createAnthropicProvider } from "../../src/adapters/model/anthropic.ts";
import { allTables, createHiveEngine } from "../../src/app/hive-engine.ts";
import type { Engine, SendResult } from "../../src/engine/engine.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import type { SessionInput } from "../../src/machines/session/session-events.ts";
import type { ModelProvider } from "../../src/ports/model.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { agentsOf, benchAgent } from "./bench-agent.ts";
import { guardedDefinition, weatherDefinition } from "./weather.ts";

/** The product's engine, machines and Anthropic provider around one agent: what `statehive` runs, without its surfaces. */

export type BenchHive = {
  readonly engine: Engine;
  /** Sends one message; resolves with what the run replied. */
  ask(session: string, text: string, onText?: () => void): Promise<string>;
  say(session: string, text: string): Promise<unknown>;
};

export type BenchHiveOptions = {
  readonly url: string;
  readonly store: RowStore;
  readonly streams: boolean;
  readonly maxConcurrentRuns?: number;
  readonly tools?: readonly Tool[];
};

export function openStore(file: string | undefined, durability: Durability): Promise<RowStore> {
  if (file === undefined) return Promise.resolve(createMemoryStore({ tables: allTables }));
  return openLibsqlStore({ url: `file:${file}`, tables: allTables, durability });
}

/** Without deltas the provider asks for the answer in one piece. */
function inOnePiece(provider: ModelProvider): ModelProvider {
  return {
    ...provider,
    complete: (request, { signal, idempotencyKey }) =>
      provider.complete(request, { signal, idempotencyKey }),
  };
}

type Waiting = { readonly resolve: (reply: string) => void; readonly onText: () => void };

export function createBenchHive(options: BenchHiveOptions): BenchHive {
  const { tools = [weatherDefinition, guardedDefinition] } = options;
  const anthropic = createAnthropicProvider({
    id: "anthropic",
    apiKey: "bench",
    baseUrl: options.url,
  });
  const agent = benchAgent({
    tools: tools.map(({ name }) => name),
    boundary: ["net.fetch:**"],
    model: options.streams ? anthropic : inOnePiece(anthropic),
  });
  const engine = createHiveEngine({
    store: options.store,
    clock: createSystemClock(),
    log: silentLog,
    agents: agentsOf(agent),
    tools: createToolRegistry(tools),
    web: createScriptedWeb(),
    redactor: createRedactor([]),
    historyMessages: () => 40,
    maxConcurrentRuns: () => options.maxConcurrentRuns ?? 100,
  });
  const waiting = listen(engine, options.streams);
  const say = (session: string, text: string) => {
    const key = keyOf(session);
    const input: SessionInput = { key, agent_id: "main", queue_cap: 100, ttl_ms: 3_600_000 };
    const create = { machine: "session", input };
    const event = { type: "message.received", text };
    return engine.send(sessionAddress(key), event, { origin: "cli", create });
  };
  return {
    engine,
    say,
    ask: (session, text, onText = () => {}) =>
      new Promise((resolve, reject) => {
        waiting.set(sessionAddress(keyOf(session)), { resolve, onText });
        refusedBy(say(session, text)).catch(reject);
      }),
  };
}

/** Rejects for a message that nobody will answer. */
async function refusedBy(sent: Promise<SendResult>): Promise<void> {
  const { outcome, reason } = await sent;
  if (outcome !== "handled") throw new Error(`the message was ${outcome}: ${reason}`);
}

export function keyOf(session: string): string {
  return sessionKey({
    channel_type: "local",
    connector_id: "local",
    conversation_scope: "cli",
    user_scope: session,
    agent_id: "main",
  });
}

const sessionOf = (address: string) => address.slice(0, address.indexOf("/run/"));

/** As a surface does: text as it comes, the reply from the run that ended. */
function listen(engine: Engine, streams: boolean): Map<string, Waiting> {
  const waiting = new Map<string, Waiting>();
  if (streams) {
    engine.onNotice(({ address, notice }) => {
      if (notice["type"] === "text.delta") waiting.get(sessionOf(address))?.onText();
    });
  }
  engine.onStep((step, actor) => {
    if (step.machine !== "run" || actor === undefined || actor.status === "active") return;
    const session = sessionOf(step.address);
    const { reply } = actor.snapshot.context;
    waiting.get(session)?.resolve(`${step.state_after}: ${reply as string | null}`);
    waiting.delete(session);
  });
  return waiting;
}
