import { describe, expect, it } from "vitest";
import type { Files } from "../../src/ports/files.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { fileReadTool } from "../../src/tools/file-read.ts";
import { abortedContext, contextWith, toolContext } from "./tool-context.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

/** Files whose every file is `megabytes` of short lines, produced as they are read. */
function endlessFiles(megabytes: number): Files {
  const chunk = new TextEncoder().encode("0123456789abcde\n".repeat(65_536));
  return {
    ...createMemoryFiles(),
    async *chunks() {
      for (let index = 0; index < megabytes; index += 1) yield chunk;
    },
  };
}

describe("file_read", () => {
  it("gives a small file exactly as it is", async () => {
    for (const content of [
      "one\ntwo\n",
      "no line break at the end",
      "\n",
      "\n\nx",
      "  spaces\t\n",
    ]) {
      expect(await fileReadTool.run({ path: "a.txt" }, contextWith({ "a.txt": content }))).toEqual({
        output: content,
        is_error: false,
      });
    }
  });

  it("shows 2000 lines and how to go on", async () => {
    const context = contextWith({ "long.txt": numbered(5321) });
    const first = await fileReadTool.run({ path: "long.txt" }, context);
    expect(first.output.startsWith("line 1\nline 2\n")).toBe(true);
    expect(
      first.output.endsWith("line 2000\n\n[lines 1-2000 of 5321, continue with offset 2001]"),
    ).toBe(true);
    const last = await fileReadTool.run({ path: "long.txt", offset: 5320 }, context);
    expect(last.output).toBe(
      "line 5320\nline 5321\n\n[lines 5320-5321 of 5321, the end of the file]",
    );
  });

  it("shows the window that it is asked for", async () => {
    const { output } = await fileReadTool.run(
      { path: "a", offset: 3, limit: 2 },
      contextWith({ a: numbered(9) }),
    );
    expect(output).toBe("line 3\nline 4\n\n[lines 3-4 of 9, continue with offset 5]");
  });

  it("says that a file is empty and that an offset is past the end", async () => {
    const context = contextWith({ empty: "", a: "x\n" });
    expect((await fileReadTool.run({ path: "empty" }, context)).output).toBe("[empty is empty]");
    expect((await fileReadTool.run({ path: "a", offset: 5 }, context)).output).toBe(
      "[offset 5 is past the end: a has 1 lines]",
    );
  });

  it("cuts lines over 2000 characters and says so", async () => {
    const { output } = await fileReadTool.run(
      { path: "a" },
      contextWith({ a: `${"x".repeat(3000)}\nend\n` }),
    );
    expect(output).toBe(
      `${"x".repeat(2000)} [line cut, it has 3000 bytes]\nend\n\n[lines over 2000 characters are cut: 1]`,
    );
  });

  it("tells about line ends and foreign encodings", async () => {
    const bytes = Uint8Array.from([0x61, 0x0d, 0x0a, 0xe9, 0x0d, 0x0a]);
    const { output } = await fileReadTool.run({ path: "a" }, contextWith({ a: bytes }));
    expect(output).toBe(
      "a\n\ufffd\n\n[lines end with CR LF; bytes that are not UTF-8 are shown as \ufffd]",
    );
  });

  it("I03: refuses binary files, wherever their first NUL is shown", async () => {
    const files = { "a.png": "\x89PNG\0\0", "late": `${"text\n".repeat(4000)}\0\n` };
    expect(await fileReadTool.run({ path: "a.png" }, contextWith(files))).toEqual({
      output: "file.binary: a.png is not a text file.",
      is_error: true,
    });
    expect(
      (await fileReadTool.run({ path: "late", offset: 3990 }, contextWith(files))).is_error,
    ).toBe(true);
  });

  it("I03: gives no more than about 100,000 characters at once, of 100 MB and a million lines", async () => {
    const context = { ...contextWith(), files: endlessFiles(100) };
    const { output } = await fileReadTool.run({ path: "big", limit: 10_000 }, context);
    expect(output.length).toBeLessThan(101_000);
    expect(output.endsWith("[lines 1-6250 of 6553600, continue with offset 6251]")).toBe(true);
  });

  it("I03: gives up counting a file of gigabytes, in bounded memory", async () => {
    const context = { ...contextWith(), files: endlessFiles(2048) };
    const { output } = await fileReadTool.run({ path: "huge", limit: 1 }, context);
    expect(output).toBe(
      "0123456789abcde\n\n[lines 1-1 of at least 16908288, continue with offset 2]",
    );
  });

  it("I03: keeps a bounded part of one endless line", async () => {
    const chunk = new TextEncoder().encode("x".repeat(1024 * 1024));
    const files: Files = {
      ...createMemoryFiles(),
      async *chunks() {
        for (let index = 0; index < 300; index += 1) yield chunk;
      },
    };
    const { output } = await fileReadTool.run({ path: "line" }, { ...contextWith(), files });
    expect(output).toBe(
      `${"x".repeat(2000)} [line cut, it has 314572800 bytes]\n\n[lines over 2000 characters are cut: 1]`,
    );
  });

  it("answers a missing file, a directory and a path outside with the code", async () => {
    const context = contextWith({ "notes/a.txt": "" });
    expect(await fileReadTool.run({ path: "b.txt" }, context)).toEqual({
      output: "file.not_found: There is no b.txt.",
      is_error: true,
    });
    expect((await fileReadTool.run({ path: "notes" }, context)).output).toBe(
      "file.refused: notes cannot be used: it is a directory.",
    );
    expect((await fileReadTool.run({ path: "../x" }, context)).output).toBe(
      "file.outside: ../x leads outside the workspace. Use a path relative to the workspace.",
    );
  });

  it("stops when it is told to", async () => {
    const aborted = { code: "activity.aborted" };
    await expect(fileReadTool.run({ path: "a" }, abortedContext({ a: "x" }))).rejects.toMatchObject(
      aborted,
    );
    const controller = new AbortController();
    const files: Files = {
      ...createMemoryFiles(),
      async *chunks() {
        for (;;) {
          yield new Uint8Array([120, 10]);
          controller.abort();
        }
      },
    };
    await expect(
      fileReadTool.run({ path: "a" }, toolContext({ files, signal: controller.signal })),
    ).rejects.toMatchObject(aborted);
  });

  it("needs to read exactly the path in its normal form", () => {
    expect(fileReadTool.capabilities({ path: "./notes//a/../b.md" })).toEqual([
      "fs.read:notes/b.md",
    ]);
    expect(fileReadTool.summary({ path: "notes/b.md", offset: 7 })).toBe(
      "Read notes/b.md from line 7",
    );
    expect(fileReadTool.summary({ path: "a\u202e.md" })).toBe("Read a\\u{202e}.md");
  });
});
