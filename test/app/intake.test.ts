import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { createRedactor } from "../../src/policy/redaction.ts";
import type { ModelProvider } from "../../src/ports/model.ts";
import { messageTable } from "../../src/schema/rows/session-rows.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

const secret = "sk-ant-0123456789abcdef";

async function everyRow({ store }: TestHive): Promise<string> {
  const rows = await Promise.all(
    allTables.map((table) => store.committed.select(table, { index: "key" })),
  );
  return JSON.stringify(rows);
}

it("keeps a secret that a person types out of every row", async () => {
  const store = createMemoryStore({ tables: allTables });
  const hive = await createTestHive({ store, redactor: createRedactor([secret]) });
  await hive.say(`my key is ${secret}`);
  await hive.engine.settled();
  const rows = await everyRow(hive);
  expect(rows).toContain("my key is [redacted]");
  expect(rows).not.toContain(secret);
});

/** Calls a tool that is not there, then says what it heard. */
const confused: ModelProvider = {
  id: "confused",
  defaultModel: "rules",
  supportsTools: true,
  complete: async ({ messages }) => {
    const heard = messages.at(-1)?.content.find((block) => block.type === "tool_result");
    return {
      content:
        heard === undefined
          ? [{ type: "tool_use", id: "call_1", name: "file_raed", input: { path: "a.txt" } }]
          : [{ type: "text", text: heard.output }],
      input_tokens: 1,
      output_tokens: 1,
      stop_reason: heard === undefined ? "tool_use" : "end_turn",
    };
  },
};

it("tells a model that there is no such tool, and lets it go on", async () => {
  const hive = await createTestHive({ provider: confused });
  await hive.say("read a.txt");
  await hive.engine.settled();
  expect(await hive.lastRun()).toMatchObject({
    state: "done",
    reply: expect.stringContaining("tool.not_found: There is no tool file_raed."),
  });
  const messages = await hive.engine.read.select(messageTable, { index: "key" });
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
});
