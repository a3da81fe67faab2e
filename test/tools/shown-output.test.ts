import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { ToolOutput } from "../../src/schema/tool.ts";
import { fileReadTool } from "../../src/tools/file-read.ts";
import { withoutLongLines } from "../../src/tools/long-lines.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";
import { boundedOutput } from "../../src/tools/shown-output.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { results } from "../actors/hive-watch.ts";
import { createTestHive } from "../support/hive.ts";
import { toolContext } from "./tool-context.ts";

const kept = ".statehive/output/r4-c7-0.txt";

const answered = (output: string, is_error = false) => Promise.resolve({ output, is_error });

/** What an agent gets that follows the last line of each portion to the end. */
async function readToEnd(context: ReturnType<typeof toolContext>, limit?: number) {
  const portions: string[] = [];
  let offset: number | undefined = 1;
  while (offset !== undefined) {
    const input = { path: kept, offset, ...(limit === undefined ? {} : { limit }) };
    const { output } = await fileReadTool.run(input, context);
    expect(output).not.toContain("line cut");
    const [, text = output, note = ""] = /^(.*)\n\n\[(lines [^\n]*)\]$/s.exec(output) ?? [];
    portions.push(text);
    const next = /continue with offset (\d+)/.exec(note)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  return { text: portions.join("\n"), portions: portions.length };
}

describe("what any tool answers", () => {
  it("is left alone up to 120000 characters", async () => {
    const context = toolContext();
    const output = "x".repeat(120_000);
    expect(await boundedOutput(answered(output, true), context)).toEqual({
      output,
      is_error: true,
    });
    await expect(context.files.stat(kept)).rejects.toMatchObject({ code: "file.not_found" });
  });

  it("I03: is cut when it is longer, stays an error, and can be read to its end in portions", async () => {
    const context = toolContext();
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join("\n");
    const { output, is_error } = await boundedOutput(answered(lines, true), context);
    expect(is_error).toBe(true);
    expect(output.length).toBeLessThan(30_300);
    expect(output).toContain(`the whole output is in ${kept}; file_read reads it in portions`);
    const whole = await readToEnd(context, 10_000);
    expect(whole.text).toBe(lines);
    expect(whole.portions).toBeGreaterThan(5);
  });

  it("I03: can be read to its end when it is one line", async () => {
    const context = toolContext();
    const line = `{"text":"${"Grüße 🦀 ".repeat(30_000)}"}`;
    const { output } = await boundedOutput(answered(line), context);
    expect(output).toContain(", its lines broken after 2000 bytes; file_read");
    expect((await readToEnd(context)).text.replaceAll("\n", "")).toBe(line);
  });

  it("I03: is kept up to 16 MiB, with the end of all of it shown", async () => {
    const context = toolContext();
    const { output } = await boundedOutput(answered(`${"x\n".repeat(9_000_000)}end`), context);
    expect(output).toContain(`its first 16777216 bytes are in ${kept}`);
    expect(output.endsWith("x\nend")).toBe(true);
    expect(await context.files.stat(kept)).toMatchObject({ size: 16_777_216 });
  });

  it("I03: says where it cannot be kept, and still is cut", async () => {
    const context = toolContext({ files: createMemoryFiles({ ".statehive": "" }) });
    const { output } = await boundedOutput(answered("\u{fffd}".repeat(130_000)), context);
    expect(output.length).toBeLessThan(31_000);
    expect(output).toContain("the rest could not be kept: .statehive cannot be used");
  });

  it("I03: is not shown where it is no text, and kept as it is", async () => {
    const context = toolContext();
    const binary = `\u{7f}ELF\0${"\u{1}".repeat(200_000)}`;
    expect((await boundedOutput(answered(binary), context)).output).toBe(
      `[200005 bytes that are no text are not shown; the whole output is in ${kept}]`,
    );
    expect(await context.files.stat(kept)).toMatchObject({ size: 200_005 });
  });

  it("is an error of bounded length too, with the code that it has", async () => {
    const failing = (thrown: unknown): Promise<ToolOutput> => Promise.reject(thrown);
    const long = new AgentError("tool.failed", "x".repeat(5_000), { retryable: true });
    await expect(boundedOutput(failing(long), toolContext())).rejects.toMatchObject({
      code: "tool.failed",
      message: `${"x".repeat(4_000)} [1000 more characters]`,
      retryable: true,
    });
    const short = new Error("short");
    await expect(boundedOutput(failing(short), toolContext())).rejects.toBe(short);
  });
});

it("I03: no tool floods a conversation, whoever wrote it", async () => {
  const flood = defineTool({
    name: "file_list",
    description: { what: "", usage: "", examples: [{ input: {}, means: "" }], notFor: "" },
    input: { depth: z.int().optional() },
    risk: "safe",
    recovery: "repeat",
    capabilities: () => ["fs.read:."],
    summary: () => "Flood",
    run: async () => "a line of a flood\n".repeat(50_000),
  });
  const tools = createToolRegistry([flood, fileReadTool]);
  const hive = await createTestHive({ tools });
  await hive.say("call file_list {}");
  await hive.engine.settled();
  const [shown = ""] = await results(hive);
  expect(shown.length).toBeLessThan(30_300);
  const path = /the whole output is in (\S+);/.exec(shown)?.[1];
  await hive.say(`call file_read ${JSON.stringify({ path, offset: 49_999 })}`);
  await hive.engine.settled();
  expect((await results(hive))[1]).toBe(
    "a line of a flood\na line of a flood\n\n[lines 49999-50000 of 50000, the end of the file]",
  );
});

describe("long lines", () => {
  const broken = (text: string, most: number) =>
    new TextDecoder().decode(withoutLongLines(new TextEncoder().encode(text), most));

  it("are broken, and nothing else", () => {
    expect(broken("abcdefgh\nab\nabcd\nabcde", 4)).toBe("abcd\nefgh\nab\nabcd\nabcd\ne");
    const short = new TextEncoder().encode("abcd\n\nabc\n");
    expect(withoutLongLines(short, 4)).toBe(short);
  });

  it("are broken between characters, also where bytes are no UTF-8", () => {
    expect(broken("ü🦀🦀", 6)).toBe("ü🦀\n🦀");
    expect(broken("🦀🦀", 7)).toBe("🦀\n🦀");
    expect(withoutLongLines(new Uint8Array(10).fill(0x80), 4)).toEqual(
      Uint8Array.from([0x80, 0x80, 0x80, 0x80, 10, 0x80, 0x80, 0x80, 0x80, 10, 0x80, 0x80]),
    );
  });
});
