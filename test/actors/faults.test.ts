import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import type { RowStore } from "../../src/ports/store.ts";
import type { ContentBlock, LlmRequest } from "../../src/schema/llm.ts";
import { slotTable } from "../../src/schema/rows/run-rows.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";
import { agentWith, fixedAgents, providerOf } from "./test-agents.ts";
import { approvals, audit, decide, messages, results, runs, statesOf } from "./hive-watch.ts";

/** A fault inside statehive stops one actor, and everybody who waits for it hears of it. */

function toolsWith(name: string, changes: Partial<Tool>) {
  const tools = builtInTools.map((tool) => (tool.name === name ? { ...tool, ...changes } : tool));
  return createToolRegistry(tools);
}

const fail = () => {
  throw new Error("a fault of the tool's author");
};

const fault = (tool: string) =>
  `internal: A fault inside statehive stopped this ${tool} call. Whether it took effect is not known.`;

async function expectNoSlots(hive: TestHive): Promise<void> {
  expect(await hive.engine.read.select(slotTable, { index: "key" })).toEqual([]);
}

it("answers the model for a call that could not even be judged, and lets the others run", async () => {
  const files = createMemoryFiles({ "a.txt": "hi" });
  const hive = await createTestHive({
    files,
    tools: toolsWith("file_list", { capabilities: fail }),
  });
  await hive.say('call file_list {"path":"."}\ncall file_read {"path":"a.txt"}');
  await hive.engine.settled();
  expect((await results(hive)).toSorted()).toEqual([
    expect.stringContaining("hi"),
    fault("file_list"),
  ]);
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
  await expectNoSlots(hive);
});

it("goes on with a call that waits for a person while another was set aside", async () => {
  const hive = await createTestHive({ tools: toolsWith("file_list", { capabilities: fail }) });
  await hive.say('call file_write {"path":"a.txt","content":"hi"}\ncall file_list {"path":"."}');
  await hive.engine.settled();
  expect(await statesOf(hive, "run")).toEqual(["awaiting_approval"]);
  await decide(hive);
  await hive.engine.settled();
  expect((await results(hive)).toSorted()).toEqual([
    "Created a.txt (2 bytes).",
    fault("file_list"),
  ]);
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
});

it("refuses a call whose agent lost the tool between the permission and the start", async () => {
  const lost = agentWith();
  const allow = ["file_write"];
  const agent = { ...lost, policy: { ...lost.policy, allow } };
  const hive = await createTestHive({ agents: fixedAgents(agent) });
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  allow.pop();
  await decide(hive);
  await hive.engine.settled();
  expect(await statesOf(hive, "tool_call")).toEqual(["denied"]);
  expect(await results(hive)).toEqual([
    "permission.denied: The agent's tool list does not have file_write.",
  ]);
  expect(await audit(hive)).toMatchObject([
    { kind: "decision", status: "approved", decided_by: "ann" },
    { kind: "decision", status: "denied", decided_by: "policy", granted_capabilities: [] },
  ]);
});

it("tells the person of an agent that is not there any more", async () => {
  const hive = await createTestHive({ agents: fixedAgents() });
  await hive.say("hello");
  await hive.engine.settled();
  const reply = "I could not go on: The agent main is not configured any more. (agent.not_found)";
  expect(await runs(hive)).toMatchObject([
    { state: "failed", reply, error: { code: "agent.not_found" }, config_hash: null },
  ]);
});

/** A store that refuses some rows: a fault that no machine can foresee. */
function refusing(isRefused: (table: string, row: string) => boolean): RowStore {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const put: RowStore["put"] = store.put.bind(store);
  return Object.assign(store, {
    put: ((table, row) => {
      if (isRefused(table.name, JSON.stringify(row))) throw new Error("the row is refused");
      put(table, row);
    }) satisfies RowStore["put"],
  });
}

it("tells the person of a run that was set aside, frees its slot and takes the next message", async () => {
  const answers = ["unwritable", "Hello."];
  const provider = providerOf(() => ({
    content: [{ type: "text", text: answers.shift() ?? "" }],
  }));
  const store = refusing((table, row) => table === "messages" && row.includes("unwritable"));
  const hive = await createTestHive({ provider, store, maxConcurrentRuns: 1 });
  await hive.say("one");
  await hive.say("two");
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([
    {
      state: "failed",
      reply: "I could not go on: a fault inside statehive stopped this run (internal).",
      error: { code: "internal" },
    },
    { state: "done", reply: "Hello." },
  ]);
  expect((await messages(hive)).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  await expectNoSlots(hive);
});

it("answers the model for a call that was set aside as it ended", async () => {
  const store = refusing((table, row) => table === "messages" && row.includes("Their reason"));
  const hive = await createTestHive({ store });
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  await decide(hive, { decision: "deny", reason: "no" });
  await hive.engine.settled();
  expect(await results(hive)).toEqual([fault("file_write")]);
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
});

it("ends the calls of a run that was set aside, and shows the next run a history in order", async () => {
  let isFull = false;
  const store = refusing((table) => isFull && table === "slots");
  const seen: LlmRequest[] = [];
  const write = (id: string, path: string): ContentBlock => ({
    type: "tool_use",
    id,
    name: "file_write",
    input: { path, content: "hi" },
  });
  const answers: ContentBlock[][] = [[write("c1", "a.txt"), write("c2", "b.txt")]];
  const provider = providerOf((request) => {
    seen.push(request);
    return { content: answers.shift() ?? [{ type: "text", text: "Yes." }] };
  });
  const hive = await createTestHive({ provider, store });
  await hive.say("write both");
  await hive.engine.settled();
  isFull = true;
  await decide(hive);
  await hive.engine.settled();
  expect(await runs(hive)).toMatchObject([{ state: "failed", error: { code: "internal" } }]);
  expect(await approvals(hive)).toMatchObject([{ state: "approved" }, { state: "cancelled" }]);

  isFull = false;
  await hive.say("hello");
  await hive.engine.settled();
  expect((await runs(hive)).at(-1)).toMatchObject({ state: "done", reply: "Yes." });
  expect(
    seen[1]?.messages.map(({ role, content }) => [role, content.map(({ type }) => type)]),
  ).toEqual([
    ["user", ["text"]],
    ["assistant", ["tool_use", "tool_use"]],
    ["user", ["tool_result", "tool_result"]],
    ["assistant", ["text"]],
    ["user", ["text"]],
  ]);
  await expectNoSlots(hive);
});
