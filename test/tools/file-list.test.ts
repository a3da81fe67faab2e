import { describe, expect, it } from "vitest";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import type { Files } from "../../src/ports/files.ts";
import { fileListTool } from "../../src/tools/file-list.ts";
import { abortedContext, contextWith } from "./tool-context.ts";

const tree = { "b.txt": "1", "a/x.txt": "22", "a/y/z.txt": "333", "c d.txt": "" };

describe("file_list", () => {
  it("lists the workspace with sizes, directories with a slash", async () => {
    expect(await fileListTool.run({}, contextWith(tree))).toEqual({
      output: "a/\nb.txt (1 byte)\nc d.txt (0 bytes)",
      is_error: false,
    });
  });

  it("lists below a directory to the asked depth, with paths that file_read takes", async () => {
    const { output } = await fileListTool.run({ path: "a", depth: 2 }, contextWith(tree));
    expect(output).toBe("a/x.txt (2 bytes)\na/y/\na/y/z.txt (3 bytes)");
  });

  it("says how many entries are not shown", async () => {
    const many = Object.fromEntries(Array.from({ length: 620 }, (_, index) => [`f${index}`, ""]));
    const lines = (await fileListTool.run({}, contextWith(many))).output.split("\n");
    expect(lines).toHaveLength(501);
    expect(lines.at(-1)).toBe("[120 not shown; list a directory below, or with a smaller depth]");
  });

  it("shows characters that would not show, and what cannot be opened", async () => {
    const files: Files = {
      ...createMemoryFiles(),
      list: () =>
        Promise.resolve({
          entries: [
            { path: "a\n\x1b[2J", kind: "file", size: 2 },
            { path: "l", kind: "link", size: 0 },
            { path: "p", kind: "other", size: 0 },
          ],
          omitted: 4,
          omittedAtLeast: true,
        }),
    };
    expect((await fileListTool.run({}, { ...contextWith(), files })).output).toBe(
      "a\\u{a}\\u{1b}[2J (2 bytes)\nl (link, cannot be opened)\np (special file, cannot be opened)\n" +
        "[at least 4 not shown; list a directory below, or with a smaller depth]",
    );
  });

  it("says that a directory could not be listed to its end", async () => {
    const files: Files = {
      ...createMemoryFiles(),
      list: () => Promise.resolve({ entries: [], omitted: 0, omittedAtLeast: true }),
    };
    expect((await fileListTool.run({}, { ...contextWith(), files })).output).toBe(
      "[some directories could not be listed to the end]",
    );
  });

  it("says that a directory is empty", async () => {
    expect((await fileListTool.run({}, contextWith())).output).toBe(". is an empty directory.");
  });

  it("answers a file and a missing directory with the code", async () => {
    expect((await fileListTool.run({ path: "b.txt" }, contextWith(tree))).output).toMatch(
      /^file\.refused: /,
    );
    expect((await fileListTool.run({ path: "nowhere" }, contextWith(tree))).output).toMatch(
      /^file\.not_found: /,
    );
  });

  it("needs to read the directory, the workspace itself by default", () => {
    expect(fileListTool.capabilities({})).toEqual(["fs.read:."]);
    expect(fileListTool.capabilities({ path: "a/" })).toEqual(["fs.read:a"]);
    expect([fileListTool.summary({}), fileListTool.summary({ path: "a" })]).toEqual([
      "List .",
      "List a",
    ]);
  });

  it("does nothing once it was told to stop", async () => {
    await expect(fileListTool.run({}, abortedContext())).rejects.toMatchObject({
      code: "activity.aborted",
    });
  });
});
