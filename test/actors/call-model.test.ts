import { noAmounts } from "../../src/schema/budget.ts";
import { expect, it } from "vitest";
import { createCallModel } from "../../src/actors/call-model.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { CommittedReader } from "../../src/ports/store.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import {
  type ContentBlock,
  type LlmRequest,
  type LlmResponse,
  noUsage,
} from "../../src/schema/llm.ts";
import { type Run, runTable } from "../../src/schema/rows/run-rows.ts";
import { type Message, messageTable } from "../../src/schema/rows/session-rows.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import { agentWith, fixedAgents, providerOf } from "./test-agents.ts";

/** What a model is shown, and what of its answer is refused. */

const text = (words: string): ContentBlock => ({ type: "text", text: words });
const call = (id: string): ContentBlock => ({
  type: "tool_use",
  id,
  name: "file_read",
  input: { path: "a.txt" },
});
const result = (id: string): ContentBlock => ({
  type: "tool_result",
  tool_call_id: id,
  output: "hi",
  is_error: false,
});

type Said = readonly [run: string, role: Message["role"], ...content: ContentBlock[]];

const runFrom = (seq: number): Run => ({
  run_id: "r9",
  seq,
  address: "session/k/run/r9",
  session_id: "s1",
  agent_id: "main",
  task_id: "t9",
  trace_id: "t1",
  state: null,
  started_at: 0,
  ended_at: null,
  usage: noUsage,
  reply: null,
  error: null,
  config_hash: null,
  trust: null,
  forgotten_at: null,
});

async function storeOf(said: readonly Said[]) {
  const store = createMemoryStore({ tables: allTables });
  store.begin();
  for (const [index, [run_id, role, ...content]] of said.entries()) {
    const position = (index + 1) * 1000;
    store.put(messageTable, { position, session_id: "s1", run_id, role, content, at: index });
  }
  store.put(runTable, runFrom(said.findIndex(([run_id]) => run_id === "r9") + 1));
  await store.commit();
  return store;
}

/** Counts the rows that are read. */
function counting(reader: CommittedReader) {
  const counted = { rows: 0 };
  const read: CommittedReader = {
    get: (table, ...key) => reader.get(table, ...key),
    select: async (table, query) => {
      const rows = await reader.select(table, query);
      counted.rows += rows.length;
      return rows;
    },
    count: (table, query) => reader.count(table, query),
  };
  return { read, counted };
}

type Asked = {
  readonly said: readonly Said[];
  readonly historyMessages?: number;
  readonly answer?: Partial<LlmResponse>;
  readonly agent?: string;
  readonly enabled?: boolean;
};

async function ask({
  said,
  historyMessages = 40,
  answer = {},
  agent = "main",
  enabled = true,
}: Asked) {
  const requests: LlmRequest[] = [];
  const provider = providerOf((request) => {
    requests.push(request);
    return answer;
  });
  const store = await storeOf(said);
  const { read, counted } = counting(store.committed);
  const main = agentWith({ enabled, model: () => ({ provider, model: "rules" }) });
  const kind = createCallModel({
    agents: fixedAgents(main),
    tools: createToolRegistry(builtInTools),
    read: () => read,
    historyMessages: () => historyMessages,
    context: () => ({ strategy: "summarize", maxTokens: 100_000, episodes: true }),
    maxConcurrent: () => 1,
    dayBudget: () => noAmounts,
    connectors: () => [],
    costOf: () => 0,
    redactStream: () => ({ push: (piece) => piece, end: () => "" }),
  });
  const output = await kind.run({
    input: { session_id: "s1", agent_id: agent, run_id: "r9", round: 1 },
    key: "k",
    attempt: 1,
    address: "session/k/run/r9",
    trace: "t1",
    signal: new AbortController().signal,
    notify: () => {},
  });
  return { output, messages: requests[0]?.messages ?? [], request: requests[0], counted };
}

const now: readonly Said[] = [["r9", "user", text("and now?")]];

it("says who answered, what it cost and how it ended", async () => {
  const { output, request } = await ask({ said: now });
  expect(output).toEqual({
    content: [text("Yes.")],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 },
    model: "fake/rules",
  });
  expect(request).toMatchObject({ model: "rules", system: "You are a test.", max_tokens: 1000 });
  expect(request?.tools.map(({ name }) => name)).toEqual(["file_read", "file_write", "ask_user"]);
});

it("shows the newest messages, beginning with a user's", async () => {
  const said: Said[] = [
    ["r1", "user", text("one")],
    ["r1", "assistant", text("1")],
    ["r2", "user", text("two")],
    ["r2", "assistant", text("2")],
    ...now,
  ];
  expect((await ask({ said, historyMessages: 4 })).messages.map(({ content }) => content)).toEqual([
    [text("two")],
    [text("2")],
    [text("and now?")],
  ]);
});

const rounds = (count: number): Said[] =>
  Array.from({ length: count }, (_, index): Said[] => [
    ["r9", "assistant", call(`c${index}`)],
    ["r9", "tool", result(`c${index}`)],
  ]).flat();
const talk = (turns: number): Said[] =>
  Array.from({ length: turns }, (_, index): Said[] => [
    [`r1${index}`, "user", text("hello")],
    [`r1${index}`, "assistant", text("Hello.")],
  ]).flat();

it("shows the whole present run, however few messages it may look back", async () => {
  const said = [...talk(3), ...now, ...rounds(12)];
  const { messages } = await ask({ said, historyMessages: 1 });
  expect(messages).toHaveLength(25);
  expect(messages[0]).toEqual({ role: "user", content: [text("and now?")] });
});

it("shows in each round what it showed in the one before, and then more", async () => {
  const said = [...talk(30), ...now];
  const shown = async (count: number) =>
    (await ask({ said: [...said, ...rounds(count)], historyMessages: 5 })).messages;
  const [one, two] = [await shown(3), await shown(4)];
  expect(one).toHaveLength(11);
  expect(two.slice(0, 11)).toEqual(one);
  expect(two).toHaveLength(13);
});

it("reads as many rows for a long session as for a short one", async () => {
  const short = await ask({ said: [...talk(5), ...now], historyMessages: 10 });
  const long = await ask({ said: [...talk(5_000), ...now], historyMessages: 10 });
  expect(short.counted.rows).toBe(10);
  expect(long.counted.rows).toBe(10);
});

it.each([
  [
    "unknown",
    { agent: "nobody" },
    "agent.not_found",
    "The agent nobody is not configured any more.",
  ],
  ["disabled", { enabled: false }, "agent.disabled", "The agent main is disabled."],
])("refuses an agent that is %s", async (_, options, code, message) => {
  await expect(ask({ said: now, ...options })).rejects.toMatchObject({ code, message });
});

it("never shows a model a call of the present run that has no result", async () => {
  await expect(ask({ said: [...now, ["r9", "assistant", call("c1")]] })).rejects.toMatchObject({
    code: "history.unpaired",
  });
});

const deep = (levels: number): JsonObject =>
  Array.from({ length: levels }).reduce<JsonObject>((inner) => ({ inner }), {});

it.each([
  ["two calls under one id", [call("c1"), call("c1")], "The model used one id for two tool calls."],
  [
    "more calls than it may make at once",
    Array.from({ length: 33 }, (_, index) => call(`c${index}`)),
    "The model asked for 33 tool calls at once; 32 are allowed.",
  ],
  [
    "an input that is nested too deep",
    [{ ...call("c1"), input: deep(70) }],
    "The answer of fake is refused: The value is nested more than 64 levels deep.",
  ],
  [
    "a block of a kind that nobody knows",
    [{ type: "video" }],
    "The answer of fake does not have the shape of an answer.",
  ],
])("refuses an answer with %s", async (_, content, message) => {
  await expect(
    ask({ said: now, answer: { content: content as ContentBlock[] } }),
  ).rejects.toMatchObject({
    code: "model.bad_response",
    message,
  });
});
