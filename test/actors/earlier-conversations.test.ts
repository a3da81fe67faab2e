import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { earlierConversations, maySee } from "../../src/actors/earlier-conversations.ts";
import { sessionAddress, sessionKey } from "../../src/actors/session-key.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { domainTables } from "../../src/schema/rows/domain-tables.ts";
import type { ContentBlock } from "../../src/schema/llm.ts";
import { type Message, messageTable, sessionTable } from "../../src/schema/rows/session-rows.ts";
import type { SessionPlace } from "../../src/schema/session-place.ts";
import { createTestHive, place } from "../support/hive.ts";
import { results } from "./hive-watch.ts";

const keyboard: SessionPlace = {
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "cli",
  user_scope: "owner",
  agent_id: "main",
};
const ann = {
  ...keyboard,
  channel_type: "telegram",
  connector_id: "tg",
  conversation_scope: "1001",
  user_scope: "1001",
};

describe("who may see what was said", () => {
  it("lets the owner at the keyboard see all conversations of the agent, and none of another agent", () => {
    expect(maySee(keyboard, keyboard)).toBe(true);
    expect(maySee(keyboard, ann)).toBe(true);
    expect(maySee(keyboard, { ...keyboard, agent_id: "other" })).toBe(false);
  });

  it("lets others see what they said themselves in the same chat", () => {
    expect(maySee(ann, { ...ann, conversation_scope: "1001/7" })).toBe(true);
    for (const other of [
      keyboard,
      { ...ann, user_scope: "1002" },
      { ...ann, connector_id: "tg2" },
      { ...ann, channel_type: "local" },
      { ...ann, agent_id: "other" },
    ])
      expect(maySee(ann, other)).toBe(false);
    expect(maySee({ ...ann, connector_id: "local" }, keyboard)).toBe(false);
  });

  it("keeps from a group what was said in private or in another group, and from a private chat what was said in groups", () => {
    const group = { ...ann, conversation_scope: "-100" };
    const topic = { ...ann, conversation_scope: "-100/3" };
    const otherGroup = { ...ann, conversation_scope: "-1001" };
    expect(maySee(group, topic)).toBe(true);
    expect(maySee(topic, group)).toBe(true);
    for (const [from, other] of [
      [group, ann],
      [topic, ann],
      [ann, group],
      [ann, topic],
      [group, otherGroup],
      [topic, { ...topic, user_scope: "1002" }],
    ] as const)
      expect([from, other, maySee(from, other)]).toEqual([from, other, false]);
  });
});

const stores: readonly (readonly [string, () => Promise<RowStore>])[] = [
  ["memory", async () => createMemoryStore({ tables: domainTables, strict: true })],
  ["a libSQL file", openFile],
];

async function openFile(): Promise<RowStore> {
  const directory = mkdtempSync(join(tmpdir(), "statehive-said-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return openLibsqlStore({
    url: `file:${directory}/test.db`,
    tables: domainTables,
    durability: "process",
  });
}

type SaidRow = Partial<Message> & { readonly position: number };

function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

describe.each(stores)("looking back over %s", (_name, openStore) => {
  async function storeWith(sessions: Readonly<Record<string, readonly SaidRow[]>>, of = keyboard) {
    const store = await openStore();
    onTestFinished(() => store.close());
    store.begin();
    for (const [session_id, messages] of Object.entries(sessions)) {
      const key = sessionKey(of);
      const last_at = Math.max(...messages.map(({ position }) => position));
      store.put(sessionTable, {
        session_id,
        key,
        address: sessionAddress(key),
        agent_id: of.agent_id,
        state: "open",
        created_at: 0,
        last_at,
        closed_at: null,
      });
      for (const message of messages) {
        const content = [textBlock(`text ${message.position}`)];
        const at = message.position;
        store.put(messageTable, {
          session_id,
          run_id: "r1",
          role: "user",
          content,
          at,
          ...message,
        });
      }
    }
    await store.commit();
    return store;
  }

  const run = { agent_id: "main", session_address: sessionAddress(place), run_id: "r9" };
  const usual = { sessions: 100, messages: 1_000, characters: 1_000_000 };

  async function textsOf(store: RowStore, limits = usual, most = Infinity) {
    const texts: string[] = [];
    const { lookBack } = earlierConversations(store.committed, run, limits);
    const isWhole = await lookBack(({ text }) => {
      texts.push(text);
      return texts.length < most;
    }, new AbortController().signal);
    return { texts, isWhole };
  }

  it("tells the newest first over all sessions, however they are interleaved", async () => {
    const store = await storeWith({
      s1: [{ position: 1 }, { position: 4 }, { position: 6 }],
      s2: [{ position: 2 }, { position: 5 }],
      s3: [{ position: 3 }],
    });
    const texts = ["text 6", "text 5", "text 4", "text 3", "text 2", "text 1"];
    expect(await textsOf(store)).toEqual({ texts, isWhole: true });
    expect(await textsOf(store, usual, 2)).toEqual({ texts: texts.slice(0, 2), isWhole: false });
  });

  it("leaves out the present run, what tools answered, calls and thoughts", async () => {
    const store = await storeWith({
      s1: [
        {
          position: 1,
          role: "assistant",
          content: [textBlock("a"), { type: "thinking", thinking: "b" }],
        },
        {
          position: 2,
          role: "tool",
          content: [{ type: "tool_result", tool_call_id: "c", output: "c", is_error: false }],
        },
        {
          position: 3,
          role: "assistant",
          content: [{ type: "tool_use", id: "d", name: "d", input: {} }],
        },
        { position: 4, run_id: "r9" },
      ],
    });
    expect(await textsOf(store)).toEqual({ texts: ["a"], isWhole: true });
  });

  it("reads pages of long sessions to their end", async () => {
    const messages = Array.from({ length: 120 }, (_, index) => ({ position: index + 1 }));
    const { texts, isWhole } = await textsOf(await storeWith({ s1: messages }));
    expect([texts.length, texts[0], texts.at(-1), isWhole]).toEqual([
      120,
      "text 120",
      "text 1",
      true,
    ]);
  });

  it("stops where it would be too much, and says so", async () => {
    const messages = Array.from({ length: 120 }, (_, index) => ({ position: index + 1 }));
    const store = await storeWith({
      s1: messages,
      s2: [{ position: 500 }],
      s3: [{ position: 400 }],
    });
    const few = await textsOf(store, { ...usual, messages: 60 });
    expect(few.isWhole).toBe(false);
    expect(few.texts.slice(0, 3)).toEqual(["text 500", "text 400", "text 120"]);
    expect(few.texts.length).toBeLessThanOrEqual(60);
    const small = await textsOf(store, { ...usual, characters: 500 });
    expect(small.isWhole).toBe(false);
    expect(small.texts.length).toBeLessThan(60);
    const one = await textsOf(store, { ...usual, sessions: 1 });
    expect(one).toEqual({ texts: ["text 500"], isWhole: false });
  });

  it("rejects once it is told to stop", async () => {
    const store = await storeWith({ s1: [{ position: 1 }] });
    const { lookBack } = earlierConversations(store.committed, run, usual);
    await expect(lookBack(() => true, AbortSignal.abort())).rejects.toMatchObject({
      code: "activity.aborted",
    });
  });
});

describe("an agent that searches its sessions", () => {
  const group = sessionKey({ ...ann, user_scope: "bob" });

  it("finds what other conversations of its said, for the owner at the keyboard", async () => {
    const hive = await createTestHive();
    await hive.say("the code word is pelican", group);
    await hive.engine.settled();
    await hive.say('call session_search {"query":"pelican"}');
    await hive.engine.settled();
    const [output] = await results(hive);
    expect(output).toContain("user: the code word is pelican");
    expect(output).toContain("that is everything]");
  });

  it("I06: finds nothing of the owner or of others for a person on another connector", async () => {
    const hive = await createTestHive();
    await hive.say("the code word is pelican");
    await hive.say("the code word is pelican too", group);
    await hive.engine.settled();
    await hive.say('call session_search {"query":"pelican"}', sessionKey(ann));
    await hive.engine.settled();
    expect(await results(hive)).toEqual(["[nothing found; nothing was said before]"]);
  });
});
