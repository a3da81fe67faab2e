import { describe, expect, it } from "vitest";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { createOfflineProvider } from "../../../src/adapters/model/offline/offline-provider.ts";
import { createScriptedSandbox } from "../../../src/adapters/sandbox/scripted-sandbox.ts";
import type { Files } from "../../../src/ports/files.ts";
import { text, textOf, type LlmMessage, type ToolUseBlock } from "../../../src/schema/llm.ts";
import { builtInTools } from "../../../src/tools/built-in.ts";
import { createToolRegistry } from "../../../src/tools/registry.ts";
import { toolContext } from "../../tools/tool-context.ts";
import { ask, assistant, callWith, result, results } from "./requests.ts";

/** The offline model with the tools that ship: it must understand what they really answer. */

const registry = createToolRegistry(builtInTools);
const tools = registry.offered(builtInTools.map(({ name }) => name));
const model = createOfflineProvider();
const sandbox = createScriptedSandbox(() => ({ output: "a.txt\nb.txt\n" }));

async function run(call: ToolUseBlock, files: Files) {
  const tool = registry.get(call.name);
  const validation = tool?.validate(call.input);
  if (tool === undefined || validation?.ok !== true)
    return result(call.id, "tool.invalid_input", true);
  const { output, is_error: isError } = await tool.run(
    validation.input,
    toolContext({ files, sandbox }),
  );
  return result(call.id, output, isError);
}

async function converse(words: string, files: Files): Promise<string> {
  let messages: readonly LlmMessage[] = [text("user", words)];
  for (let round = 0; round < 10; round += 1) {
    const request = { ...ask(words, tools), messages, max_tokens: 4096 };
    const response = await model.complete(request, callWith());
    const calls = response.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return textOf(response.content);
    const answers = await Promise.all(calls.map((call) => run(call, files)));
    messages = [...messages, assistant(...response.content), results(...answers)];
  }
  return "It never came to an end.";
}

async function contentOf(files: Files, path: string): Promise<string> {
  const { bytes } = await files.read(path, { maxBytes: 1000 });
  return new TextDecoder().decode(bytes);
}

describe("the offline model with the built-in tools", () => {
  it.each(["", "no line break", "one\ntwo\n", "\n\n", "Grüße 🦀\n"])(
    "copies %j exactly",
    async (content) => {
      const files = createMemoryFiles({ "a.txt": content });
      await converse("copy a.txt to b.txt", files);
      expect(await contentOf(files, "b.txt")).toBe(content);
    },
  );

  it("does not copy a file whose line breaks it does not see", async () => {
    const files = createMemoryFiles({ "a.txt": "one\r\ntwo\r\n" });
    expect(await converse("copy a.txt to b.txt", files)).toContain("I cannot do that with a.txt");
    await expect(files.stat("b.txt")).rejects.toMatchObject({ code: "file.not_found" });
  });

  it("reads the first file of a listing, past the directories", async () => {
    const files = createMemoryFiles({ "docs/x.md": "x", "b.txt": "second", "a.txt": "first" });
    const reply = await converse("list my files, then read the first one", files);
    expect(reply).toContain("Here is a.txt:\n\nfirst");
  });

  it("appends to a file, and begins it where there is none", async () => {
    const files = createMemoryFiles();
    await converse("append milk to todo.md", files);
    await converse("append eggs to todo.md", files);
    expect(await contentOf(files, "todo.md")).toBe("milk\neggs\n");
  });

  it("writes, then reads what it wrote", async () => {
    const files = createMemoryFiles();
    const reply = await converse("write hello world to notes.txt, then read it", files);
    expect(reply).toBe(
      "I wrote notes.txt. The tool says: Created notes.txt (11 bytes).\n\nHere is notes.txt:\n\nhello world",
    );
  });

  it("searches, changes and runs", async () => {
    const files = createMemoryFiles({ "a.txt": "buy milk\n" });
    expect(await converse("find milk in my files", files)).toBe(
      "Here is what I found of milk:\n\na.txt:1: buy milk\n\n[1 line in 1 file, 1 file searched]",
    );
    expect(await converse("replace milk by eggs in a.txt", files)).toBe(
      "I changed a.txt. The tool says: Edited a.txt.\n\nFrom line 1:\n-buy milk\n+buy eggs",
    );
    expect(await contentOf(files, "a.txt")).toBe("buy eggs\n");
    expect(await converse("run ls", files)).toBe("I ran ls:\n\na.txt\nb.txt\n\n[exit code 0]");
  });

  it("says that a file is not there", async () => {
    const reply = await converse("read nowhere.txt", createMemoryFiles());
    expect(reply).toMatch(/^I could not read nowhere\.txt: file\.not_found: /);
  });
});
