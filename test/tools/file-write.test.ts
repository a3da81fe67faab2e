import { describe, expect, it } from "vitest";
import { fileReadTool } from "../../src/tools/file-read.ts";
import { fileWriteTool } from "../../src/tools/file-write.ts";
import { abortedContext, contextWith } from "./tool-context.ts";

describe("file_write", () => {
  it("creates a file, then replaces it, and says which", async () => {
    const context = contextWith();
    expect(await fileWriteTool.run({ path: "notes/a.md", content: "é\n" }, context)).toEqual({
      output: "Created notes/a.md (3 bytes).",
      is_error: false,
    });
    expect((await fileWriteTool.run({ path: "notes/a.md", content: "" }, context)).output).toBe(
      "Replaced notes/a.md (0 bytes).",
    );
  });

  it("writes what file_read gives back", async () => {
    const context = contextWith();
    const content = "first\n\tsecond 🦀\n\nlast";
    await fileWriteTool.run({ path: "a", content }, context);
    expect((await fileReadTool.run({ path: "a" }, context)).output).toBe(content);
  });

  it("P01: answers a path outside with the code and writes nothing", async () => {
    const context = contextWith();
    expect(await fileWriteTool.run({ path: "a/../../x", content: "x" }, context)).toEqual({
      output:
        "file.outside: a/../../x leads outside the workspace. Use a path relative to the workspace.",
      is_error: true,
    });
    expect((await context.files.list(".", { depth: 9, maxEntries: 9 })).entries).toEqual([]);
  });

  it("needs to write exactly the path in its normal form", () => {
    expect(fileWriteTool.capabilities({ path: "notes//./a.md", content: "" })).toEqual([
      "fs.write:notes/a.md",
    ]);
    expect(fileWriteTool.capabilities({ path: "../a.md", content: "" })).toEqual([
      "fs.write:../a.md",
    ]);
  });

  it("tells people what it will do, with every character visible", () => {
    expect(fileWriteTool.summary({ path: "a\u202ecod.exe", content: "é" })).toBe(
      "Write 2 bytes to a\\u{202e}cod.exe",
    );
  });

  it("I03, P16: refuses more than a million characters", () => {
    expect(fileWriteTool.validate({ path: "a", content: "x".repeat(1_000_001) })).toMatchObject({
      ok: false,
    });
  });

  it("does nothing once it was told to stop", async () => {
    const context = abortedContext();
    await expect(fileWriteTool.run({ path: "a", content: "x" }, context)).rejects.toMatchObject({
      code: "activity.aborted",
    });
    await expect(context.files.stat("a")).rejects.toMatchObject({ code: "file.not_found" });
  });
});
