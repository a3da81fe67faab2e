import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/schema/errors.ts";
import type { MemoryTarget } from "../../src/schema/memory.ts";
import { memoryWriteTool } from "../../src/tools/memory-write.ts";
import type { Surroundings } from "../../src/tools/tool.ts";
import { toolContext } from "./tool-context.ts";

const text = "Anna's birthday is on May 3rd.";
const around = {} as Surroundings;

async function written(input: object, fault?: AgentError) {
  const writes: (readonly [string, MemoryTarget])[] = [];
  const memory = {
    search: async () => [],
    write: async (...given: readonly [string, MemoryTarget]) => {
      if (fault !== undefined) throw fault;
      writes.push(given);
      return { path: "main/local/2026-01-02.md" };
    },
  };
  const validated = memoryWriteTool.validate(input);
  if (!validated.ok) throw new Error(validated.message);
  const output = await memoryWriteTool.run(validated.input, toolContext({ memory }));
  return { ...output, writes };
}

describe("memory_write", () => {
  it.each([
    [{ text }, { to: "daily" }],
    [{ text, target: "daily" }, { to: "daily" }],
    [{ text, target: "long_term" }, { to: "long_term" }],
    [
      { text, target: "shared", concept: "birthdays" },
      { to: "shared", concept: "birthdays" },
    ],
  ])("writes %j where it was told, and says which file that is", async (input, target) => {
    const { output, is_error, writes } = await written(input);
    expect({ output, is_error }).toEqual({
      output: "Written to main/local/2026-01-02.md.",
      is_error: false,
    });
    expect(writes).toEqual([[text, target]]);
  });

  it("tells the model why memory refused it", async () => {
    const fault = new AgentError("memory.refused", "It stands there already.");
    expect(await written({ text }, fault)).toMatchObject({
      output: "memory.refused: It stands there already.",
      is_error: true,
    });
  });

  it("needs its own capability for what agents share", () => {
    const capabilities = (input: object) => memoryWriteTool.capabilities(input as never);
    expect(capabilities({ text })).toEqual(["memory.write:own"]);
    expect(capabilities({ text, target: "long_term" })).toEqual(["memory.write:own"]);
    expect(capabilities({ text, target: "shared", concept: "a" })).toEqual(["memory.write:shared"]);
  });

  it("says in one line what a person allows", () => {
    const summary = (input: object) => memoryWriteTool.summary(input as never);
    expect(summary({ text })).toBe(`Remember in today's notes: ${text}`);
    expect(summary({ text: "a\u{202e}\nb", target: "long_term" })).toBe(
      "Remember for good, in MEMORY.md: a\\u{202e}\\u{a}b",
    );
    expect(summary({ text: "x".repeat(90), target: "shared", concept: "staging" })).toBe(
      `Remember in the shared concept staging: ${"x".repeat(80)}…`,
    );
  });

  it.each([
    [{ text, target: "shared" }, "concept: must be there where target is shared"],
    [{ text, concept: "a" }, "concept: belongs to the target shared alone"],
    [{ text, target: "long_term", concept: "a" }, "concept: belongs to the target shared alone"],
  ])("asks nobody about %j, which cannot be done", (input, fault) => {
    expect(memoryWriteTool.circumstances?.(input as never, around)).toEqual({
      ok: false,
      reason: `tool.invalid_input: memory_write: ${fault}.`,
    });
  });

  it.each([
    [{ text: "" }, "text"],
    [{ text: " \n\t" }, "text: must not be blank"],
    [{ text: "x".repeat(4_001) }, "text"],
    [{ text, target: "MEMORY.md" }, "target"],
    [{ text, target: "shared", concept: "../../main/local/MEMORY" }, "concept"],
    [{ text, target: "shared", concept: "A" }, "concept"],
    [{ text, target: "shared", concept: "" }, "concept"],
    [{ text, path: "../other/MEMORY.md" }, "path"],
    [{ text, agent: "other" }, "agent"],
    [{}, "text"],
  ])("M01, M04: refuses %j", (input, fault) => {
    const validated = memoryWriteTool.validate(input);
    expect(validated).toMatchObject({ ok: false });
    expect(validated.ok ? "" : validated.message).toContain(fault);
  });
});
