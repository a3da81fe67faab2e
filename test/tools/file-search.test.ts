import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLinuxFiles } from "../../src/adapters/files/linux-files.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import type { Files } from "../../src/ports/files.ts";
import { fileSearchTool } from "../../src/tools/file-search.ts";
import { workMs } from "../support/work-ms.ts";
import { abortedContext, contextWith, toolContext } from "./tool-context.ts";

const tree = {
  "todo.md": "- buy milk\n- Milk the cow\n- call Ann\n",
  "src/a.ts": "const milk = 1;\n",
  "src/deep/b.ts": "// milk\n// milk\n",
  "src/c.js": "milk\n",
  "z.txt": "nothing",
};

async function search(
  input: { readonly pattern: string; readonly path?: string; readonly glob?: string },
  files: Readonly<Record<string, string | Uint8Array>> = tree,
): Promise<string> {
  const { output, is_error } = await fileSearchTool.run(input, contextWith(files));
  expect(is_error).toBe(false);
  return output;
}

describe("file_search", () => {
  it("finds lines in all files, sorted by path, in capitals too", async () => {
    expect(await search({ pattern: "milk" })).toBe(
      "src/a.ts:1: const milk = 1;\nsrc/c.js:1: milk\nsrc/deep/b.ts:1: // milk\nsrc/deep/b.ts:2: // milk\n" +
        "todo.md:1: - buy milk\ntodo.md:2: - Milk the cow\n\n[6 lines in 4 files, 5 files searched]",
    );
  });

  it("minds capitals where the pattern has one", async () => {
    expect(await search({ pattern: "Milk" })).toBe(
      "todo.md:2: - Milk the cow\n\n[1 line in 1 file, 5 files searched]",
    );
  });

  it("says that nothing was found", async () => {
    expect(await search({ pattern: "beer" })).toBe("[nothing found, 5 files searched]");
  });

  it.each([
    [{ path: "src" }, ["src/a.ts:1", "src/c.js:1", "src/deep/b.ts:1", "src/deep/b.ts:2"]],
    [{ path: "./src/deep/" }, ["src/deep/b.ts:1", "src/deep/b.ts:2"]],
    [{ path: "src/c.js" }, ["src/c.js:1"]],
    [{ glob: "*.ts" }, ["src/a.ts:1", "src/deep/b.ts:1", "src/deep/b.ts:2"]],
    [{ glob: "src/*.ts" }, ["src/a.ts:1"]],
    [{ glob: "**/deep/*" }, ["src/deep/b.ts:1", "src/deep/b.ts:2"]],
    [{ path: "src", glob: "deep/*.ts" }, ["src/deep/b.ts:1", "src/deep/b.ts:2"]],
  ])("searches with %j only where it is told to", async (where, found) => {
    const lines = (await search({ pattern: "milk", ...where })).split("\n\n")[0]?.split("\n");
    expect(lines?.map((line) => line.split(": ")[0])).toEqual(found);
  });

  it("I07: takes every pattern as it is, in a time that grows with the text", async () => {
    expect(await search({ pattern: "a.b*(" }, { "x.txt": "aXb\na.b*(c\n" })).toContain(
      "x.txt:2: a.b*(c",
    );
    const hostile = { "x.txt": `${"a".repeat(1_000_000)}!` };
    const spent = await workMs(async () => {
      expect(await search({ pattern: "^(a+)+$" }, hostile)).toContain("nothing found");
      await search({ pattern: `${"a".repeat(499)}b`, glob: `${"*a".repeat(200)}b` }, hostile);
    });
    expect(spent).toBeLessThan(2_000);
  });

  it("refuses a pattern of several lines", () => {
    expect(fileSearchTool.validate({ pattern: "a\nb" })).toMatchObject({ ok: false });
  });

  it("skips what is not text or too large, and counts it", async () => {
    const files = {
      "a.bin": Uint8Array.of(109, 0),
      "b.bin": Uint8Array.of(109, 0xff),
      "c.txt": "m".repeat(5_000_000),
      "d.txt": "m\n",
    };
    expect(await search({ pattern: "m" }, files)).toBe(
      "d.txt:1: m\n\n[1 line in 1 file, 1 file searched; 2 files not in UTF-8 skipped; 1 file over 4194304 bytes skipped]",
    );
  });

  it("does not look into .git and node_modules, says so, and does when it is led there", async () => {
    const files = { "node_modules/a/x.js": "milk", "src/.git/config": "milk", "a.txt": "milk" };
    expect(await search({ pattern: "milk" }, files)).toBe(
      "a.txt:1: milk\n\n[1 line in 1 file, 1 file searched; not looked into: node_modules, src/.git]",
    );
    expect(await search({ pattern: "milk", path: "node_modules" }, files)).toContain(
      "node_modules/a/x.js:1: milk",
    );
  });

  it("does not open a file that the agent may not read, and counts it", async () => {
    const opened: string[] = [];
    const memory = createMemoryFiles({ ".env": "milk", "src/.env": "milk", "a.txt": "milk" });
    const files: Files = {
      ...memory,
      read: (path, window) => {
        opened.push(path);
        return memory.read(path, window);
      },
    };
    const mayRead = (path: string) => !path.endsWith(".env");
    const { output } = await fileSearchTool.run(
      { pattern: "milk" },
      toolContext({ files, mayRead }),
    );
    expect(output).toBe(
      "a.txt:1: milk\n\n[1 line in 1 file, 1 file searched; 2 files that you may not read skipped]",
    );
    expect(opened).toEqual(["a.txt"]);
  });

  it("shows at most 200 lines and counts the others", async () => {
    const output = await search({ pattern: "x" }, { "a.txt": "x\n".repeat(1_000) });
    expect(output.split("\n")).toHaveLength(202);
    expect(output).toContain(
      "[1000 lines in 1 file, 1 file searched; 800 more lines are not shown]",
    );
  });

  it("shows a long line around what was found", async () => {
    const output = await search(
      { pattern: "needle" },
      { "a.txt": `${"x".repeat(5_000)}needle${"y".repeat(5_000)}` },
    );
    const [line = ""] = output.split("\n");
    expect(line.length).toBeLessThan(330);
    expect(line).toContain("xxneedleyy");
  });

  it("shows characters of a path that would not show", async () => {
    expect(await search({ pattern: "milk" }, { "a\n\x1b[2J.txt": "milk" })).toContain(
      "a\\u{a}\\u{1b}[2J.txt:1: milk",
    );
  });

  it("P02: follows no link, and goes on when a file has gone meanwhile", async () => {
    const root = mkdtempSync(join(tmpdir(), "statehive-search-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, "a.txt"), "milk\n");
    symlinkSync("/etc/passwd", join(root, "link"));
    const linux = await createLinuxFiles({ root });
    const files: Files = {
      ...linux,
      list: async (path, limits) => {
        const list = await linux.list(path, limits);
        const gone = { path: "gone.txt", kind: "file", size: 1 } as const;
        return { ...list, entries: [...list.entries, gone] };
      },
    };
    const { output } = await fileSearchTool.run({ pattern: "m" }, toolContext({ files }));
    expect(output).toBe(
      "a.txt:1: milk\n\n[1 line in 1 file, 1 file searched; 2 links or special files skipped]",
    );
  });

  it("refuses a place that is not there or lies outside", async () => {
    for (const [path, code] of [
      ["nowhere", "file.not_found"],
      ["../x", "file.outside"],
    ] as const) {
      const result = await fileSearchTool.run({ pattern: "a", path }, contextWith());
      expect(result.output.split(":")[0]).toBe(code);
    }
  });

  it("does nothing once it was told to stop", async () => {
    const run = fileSearchTool.run({ pattern: "a" }, abortedContext({ "a.txt": "a" }));
    await expect(run).rejects.toMatchObject({ code: "activity.aborted" });
  });

  it("needs to read the place in its normal form", () => {
    expect(fileSearchTool.capabilities({ pattern: "a" })).toEqual(["fs.read:."]);
    expect(fileSearchTool.capabilities({ pattern: "a", path: "src//x/" })).toEqual([
      "fs.read:src/x",
    ]);
    expect(fileSearchTool.summary({ pattern: "a\u202e", path: "src" })).toBe(
      "Search src for a\\u{202e}",
    );
  });
});
