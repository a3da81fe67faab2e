import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import {
  createFakeMemoryFiles,
  type FakeMemoryFiles,
} from "../../../src/adapters/memory-files/fake-memory-files.ts";
import { createFakeMemoryVersions } from "../../../src/adapters/memory-files/fake-memory-versions.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createInMemoryIndex } from "../../../src/adapters/memory-index/in-memory-index.ts";
import { createMemoryService } from "../../../src/app/memory/memory-service.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import type { ModelProvider } from "../../../src/ports/model.ts";
import type { ContextSettings } from "../../../src/schema/context-strategy.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { textOf } from "../../../src/schema/llm.ts";
import { memoryChangeTable } from "../../../src/schema/rows/memory-rows.ts";
import { historyCutTable } from "../../../src/schema/rows/model-rows.ts";
import { runTable } from "../../../src/schema/rows/run-rows.ts";
import { inboxTable, messageTable, sessionTable } from "../../../src/schema/rows/session-rows.ts";
import { crashEverywhere } from "../../support/crash-driver.ts";
import { type Disk, memoryDisk } from "../../support/disks.ts";
import { createTestHive, place, type TestHive } from "../../support/hive.ts";
import { memoryNow } from "../../support/memory-hive.ts";

/** Wherever the process dies while a conversation is summed up: nothing of it is lost, and no fact is written twice. */

const context = (): ContextSettings => ({
  strategy: "summarize",
  maxTokens: 100_000,
  episodes: true,
});
const policy = {
  allow: ["memory_write"],
  boundary: ["memory.write:own"],
  grant: ["memory.write:own"],
};
const daily = "main/local/2026-11-22.md";
const session = `session/${place}`;

type Meanwhile = (hive: TestHive) => Promise<unknown>;
type Script = {
  readonly messages: readonly string[];
  /** Messages that the model is shown: two unless told. */
  readonly shown?: number;
  /** Comes while the model is asked to sum up. */
  readonly inSummarizing?: Meanwhile;
  /** Comes while facts are written. */
  readonly inFlushing?: Meanwhile;
  readonly atEnd?: Meanwhile;
};

const says =
  (...texts: readonly string[]): Meanwhile =>
  async (hive) => {
    for (const text of texts) await hive.say(text, place, text);
  };
const closes: Meanwhile = ({ engine }) =>
  engine.send(session, { type: "session.cancel" }, { origin: "cli", idempotencyKey: "close" });

const messagesIn = (prompt: string) => [...prompt.matchAll(/"(message \d)"/g)].map(([, m]) => m);

/** Remembers of each message that it was said. */
function model(told: (isEpisode: boolean) => Promise<unknown>): ModelProvider {
  return {
    id: "fake",
    defaultModel: "m",
    supportsTools: true,
    complete: async ({ system, messages }) => {
      const prompt = textOf(messages.at(-1)?.content ?? []);
      const isEpisode = system.startsWith("You write an entry");
      const isAside = isEpisode || system.startsWith("You keep the record");
      if (isAside) await told(isEpisode);
      const facts = messagesIn(prompt).map((message) => `It was said: ${message}.`);
      const text = isEpisode
        ? JSON.stringify({ entry: "They talked." })
        : isAside
          ? JSON.stringify({ summary: `Up to ${facts.at(-1) ?? ""}`, facts })
          : `Answer to ${prompt.split("\n").at(-1)?.replace("[End of the summary.]", "")}.`;
      return {
        content: [{ type: "text", text }],
        stop_reason: "end_turn",
        input_tokens: 10,
        output_tokens: 5,
      };
    },
  };
}

/** What a dead engine refuses is said again to the next. */
async function unlessDead(work: Promise<unknown> | undefined): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== "engine.closed") throw error;
  }
}

function stageOf(script: Script) {
  const clock = createSimulatedClock(memoryNow);
  const memoryFiles = createFakeMemoryFiles();
  const versions = createFakeMemoryVersions(() => clock.now());
  return async (disk: Disk, faultPoint: (label: string) => void) => {
    const store = await disk.open();
    const { parts: memory } = createMemoryService({
      files: memoryFiles,
      versions,
      index: createInMemoryIndex(),
      settings: memorySettings(),
      clock,
      log: silentLog,
      timeZone: "UTC",
    });
    const provider = model((isEpisode) =>
      unlessDead(isEpisode ? undefined : script.inSummarizing?.(hive)),
    );
    const given = { store, clock, memory, provider, policy, context, faultPoint };
    const hive: TestHive = await createTestHive({ ...given, historyMessages: script.shown ?? 2 });
    memoryFiles.meanwhile = () => void unlessDead(script.inFlushing?.(hive));
    const alive = async () => {
      await hive.engine.settled();
      await hive.engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
    };
    await alive();
    for (const text of script.messages) {
      await hive.say(text, place, text);
      await alive();
    }
    await script.atEnd?.(hive);
    await alive();
    const ended = await endOf(hive, memoryFiles);
    await hive.engine.close();
    return ended;
  };
}

async function endOf({ engine }: TestHive, files: FakeMemoryFiles) {
  const { read } = engine;
  const [cut] = await read.select(historyCutTable, { index: "key" });
  const runs = await read.select(runTable, { index: "by_started" });
  const messages = await read.select(messageTable, { index: "key" });
  const sessions = await read.select(sessionTable, { index: "by_last" });
  const changes = await read.select(memoryChangeTable, { index: "by_n" });
  const summed = messages.filter(({ position }) => position < (cut?.summary_until ?? 0));
  const entries = (files.text(daily) ?? "").split("\n").filter((line) => line.startsWith("- "));
  return {
    actor: (await engine.get(session))?.state,
    sessions: sessions.map(({ state }) => state),
    runs: runs.map(({ state, reply }) => `${state}: ${reply}`),
    waiting: (await read.select(inboxTable, { index: "key" })).length,
    isWhole: cut === undefined || (cut.summary !== null && cut.summary_until === cut.from_position),
    summed: summed.filter(({ role }) => role === "user").map(({ content }) => textOf(content)),
    remembered: entries.map((entry) => /message \d|They talked/.exec(entry)?.[0]),
    changes: changes.map(({ kind }) => kind),
    staged: files.staged(),
  };
}

const playsOf = (script: Script) =>
  crashEverywhere({ makeDisk: () => memoryDisk(allTables), stage: () => stageOf(script) });

const closed = { actor: "closed", sessions: ["closed"], waiting: 0, isWhole: true, staged: [] };

describe("wherever the process dies,", () => {
  it("a conversation is summed up whole, its facts are written once, and what came meanwhile is answered", async () => {
    const plays = await playsOf({
      messages: ["message 1"],
      inSummarizing: says("message 2"),
      inFlushing: says("message 3"),
    });
    expect(plays.length).toBeGreaterThan(20);
    for (const { crashedAt, result } of plays)
      expect({ crashedAt, ...result }).toEqual({
        crashedAt,
        actor: "idle",
        sessions: ["open"],
        runs: [1, 2, 3].map((n) => `done: Answer to message ${n}.`),
        waiting: 0,
        isWhole: true,
        summed: ["message 1", "message 2", "message 3"],
        remembered: ["message 1", "message 2", "message 3"],
        changes: ["flush", "flush", "flush"],
        staged: [],
      });
  });

  it("one that is closed while it is summed up ends, with a short account of it", async () => {
    const inSummarizing: Meanwhile = async (hive) => {
      await says("message 2")(hive);
      await closes(hive);
    };
    for (const { crashedAt, result } of await playsOf({ messages: ["message 1"], inSummarizing }))
      expect({ crashedAt, ...result }).toEqual({
        crashedAt,
        ...closed,
        runs: ["done: Answer to message 1."],
        summed: [],
        remembered: ["They talked"],
        changes: ["episode"],
      });
  });

  it("one that is closed while facts are written ends, and none of them is written twice", async () => {
    const plays = await playsOf({ messages: ["message 1"], inFlushing: closes, atEnd: closes });
    expect(plays.length).toBeGreaterThan(10);
    for (const { crashedAt, result } of plays) {
      const { summed, remembered, changes, ...ended } = result;
      expect({ crashedAt, ...ended }).toEqual({
        crashedAt,
        ...closed,
        runs: ["done: Answer to message 1."],
      });
      expect([crashedAt, new Set(remembered).size]).toEqual([crashedAt, remembered.length]);
      expect(changes).toHaveLength(remembered.length);
      expect([crashedAt, remembered]).toEqual([crashedAt, expect.arrayContaining(summed)]);
      expect(remembered).not.toEqual([]);
    }
  });

  it("one that ends without a word in memory leaves one short account", async () => {
    const plays = await playsOf({ messages: ["message 1"], shown: 40, atEnd: closes });
    for (const { crashedAt, result } of plays)
      expect({ crashedAt, ...result }).toEqual({
        crashedAt,
        ...closed,
        runs: ["done: Answer to message 1."],
        summed: [],
        remembered: ["They talked"],
        changes: ["episode"],
      });
  });
});
