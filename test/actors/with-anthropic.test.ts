import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { createAnthropicProvider } from "../../src/adapters/model/anthropic.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { Notice } from "../../src/engine/engine.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { apiError, type Reply, says, startAnthropicServer } from "../support/anthropic-server.ts";
import type { WireBlock } from "../support/anthropic-validation.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";
import { decide, messages, runs } from "./hive-watch.ts";

/** The whole hive over the Anthropic adapter and a server that refuses what the real one would. */

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function libsqlStore(): Promise<RowStore> {
  const folder = await mkdtemp(join(tmpdir(), "hive-"));
  const url = `file:${join(folder, "hive.db")}`;
  const store = await openLibsqlStore({ url, tables: allTables, durability: "process" });
  cleanups.push(
    () => rm(folder, { recursive: true }),
    () => store.close(),
  );
  return store;
}

const stores = {
  memory: async (): Promise<RowStore> => createMemoryStore({ tables: allTables, strict: true }),
  libsql: libsqlStore,
};

async function hiveWith(replies: readonly Reply[], store: RowStore) {
  const server = await startAnthropicServer((_, n) => replies[n - 1] ?? says("No more."));
  cleanups.push(() => server.close());
  const provider = createAnthropicProvider({ id: "anthropic", apiKey: "key", baseUrl: server.url });
  const files = createMemoryFiles({ "a.txt": "one", "b.txt": "two" });
  const hive = await createTestHive({ provider, files, store });
  cleanups.push(() => hive.engine.close());
  return { hive, server };
}

const use = (id: string, name: string, input: object): WireBlock => ({
  type: "tool_use",
  id,
  name,
  input,
});

async function lastReply(hive: TestHive): Promise<string | null | undefined> {
  return (await runs(hive)).at(-1)?.reply;
}

describe.each(Object.keys(stores) as (keyof typeof stores)[])("on %s", (kind) => {
  it("runs two calls at once and answers them in the order in which they were asked", async () => {
    const calls = [
      use("c1", "file_read", { path: "a.txt" }),
      use("c2", "file_list", { path: "." }),
    ];
    const { hive, server } = await hiveWith(
      [{ content: calls }, says("Done.")],
      await stores[kind](),
    );
    await hive.say("read and list");
    await hive.engine.settled();
    expect(await lastReply(hive)).toBe("Done.");
    const answered = server.requests[1]?.messages.at(-1)?.content ?? [];
    expect(answered.map((block) => [block.type, block["tool_use_id"]])).toEqual([
      ["tool_result", "c1"],
      ["tool_result", "c2"],
    ]);
  });

  it("gives signed thoughts back unchanged within their run, and leaves them out in the next", async () => {
    const thought = { type: "thinking", thinking: "Hm.", signature: "sig" };
    const calls = [thought, use("c1", "file_read", { path: "a.txt" })];
    const replies = [{ content: calls }, says("It says one."), says("You are welcome.")];
    const { hive, server } = await hiveWith(replies, await stores[kind]());
    await hive.say("read it");
    await hive.engine.settled();
    await hive.say("thanks");
    await hive.engine.settled();
    expect(await lastReply(hive)).toBe("You are welcome.");
    const typesOf = (request: number) =>
      server.requests[request]?.messages.map(({ content }) => content.map(({ type }) => type));
    expect(typesOf(1)).toEqual([["text"], ["thinking", "tool_use"], ["tool_result"]]);
    expect(server.requests[1]?.messages[1]?.content[0]).toEqual(thought);
    expect(typesOf(2)).toEqual([["text"], ["tool_use"], ["tool_result"], ["text"], ["text"]]);
  });
});

const memory = () => stores.memory();

it("tries again after as long as the provider asks for, and says so meanwhile", async () => {
  const busy = {
    ...apiError(429, "rate_limit_error", "Slow down."),
    headers: { "retry-after": "7" },
  };
  const { hive, server } = await hiveWith([busy, says("Hello.")], await memory());
  const notices: Notice["notice"][] = [];
  hive.engine.onNotice(({ notice }) => void notices.push(notice));
  await hive.say("hello");
  await hive.engine.settled();
  expect(notices).toEqual([
    { type: "activity.retrying", code: "model.rate_limited", wait_ms: 7_000, attempt: 1 },
  ]);
  hive.clock.advance(6_999);
  await hive.engine.settled();
  expect(server.requests).toHaveLength(1);
  hive.clock.advance(1);
  await hive.engine.settled();
  expect(await lastReply(hive)).toBe("Hello.");
  expect(notices.map(({ type }) => type)).toContain("text.reset");
});

it("tells the person what is wrong with the key", async () => {
  const refused = apiError(401, "authentication_error", "invalid x-api-key");
  const { hive, server } = await hiveWith([refused], await memory());
  await hive.say("hello");
  await hive.engine.settled();
  expect(server.requests).toHaveLength(1);
  expect(await runs(hive)).toMatchObject([
    {
      state: "failed",
      reply: expect.stringMatching(/^I could not go on: .*key.*\(model\.auth\)$/),
      error: { code: "model.auth" },
    },
  ]);
  expect((await messages(hive)).map(({ role }) => role)).toEqual(["user", "assistant"]);
});

it("tells the person that the model declined, and keeps nothing of what it had begun to say", async () => {
  const declined = { ...says("I would rather"), stopReason: "refusal" };
  const { hive, server } = await hiveWith([declined, says("Gladly.")], await memory());
  await hive.say("do something bad");
  await hive.engine.settled();
  expect(await lastReply(hive)).toBe(
    "I could not go on: The model declined to answer. (model.refused)",
  );
  await hive.say("something good then");
  await hive.engine.settled();
  expect(JSON.stringify(server.requests[1]?.messages)).not.toContain("I would rather");
});

it("gives what there is of an answer that was cut off, and says so", async () => {
  const cut = { ...says("Once upon"), stopReason: "max_tokens" };
  const { hive } = await hiveWith([cut], await memory());
  await hive.say("tell me a story");
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([
    {
      state: "done",
      reply: "Once upon\n\n[The answer was cut off: it reached the model's limit of tokens.]",
    },
  ]);
});

it("answers with a word of its own when the model says nothing, and can go on after it", async () => {
  const { hive } = await hiveWith([{ content: [] }, says("Yes?")], await memory());
  await hive.say("hello");
  await hive.engine.settled();
  expect(await lastReply(hive)).toBe("[The model ended its turn without a word.]");
  await hive.say("hello?");
  await hive.engine.settled();
  expect(await lastReply(hive)).toBe("Yes?");
});

it("goes on after a refusal of a call, and pairs it", async () => {
  const calls = [use("c1", "file_write", { path: "c.txt", content: "hi" })];
  const { hive, server } = await hiveWith([{ content: calls }, says("Fine.")], await memory());
  await hive.say("write it");
  await hive.engine.settled();
  await decide(hive, { decision: "deny" });
  await hive.engine.settled();
  expect(await lastReply(hive)).toBe("Fine.");
  expect(server.requests[1]?.messages.at(-1)?.content).toMatchObject([
    { type: "tool_result", tool_use_id: "c1", is_error: true },
  ]);
});
