import { describe, expect, it } from "vitest";
import type { Files } from "../../src/ports/files.ts";

/** What every adapter of the files port keeps, links and special files aside, which only a real file system has. */

export type FilesUnderTest = {
  /** Fresh files with this content by path. */
  readonly create: (initial: Readonly<Record<string, string | Uint8Array>>) => Promise<Files>;
};

async function textOf(files: Files, path: string): Promise<string> {
  const { bytes } = await files.read(path, { maxBytes: 1_000_000 });
  return new TextDecoder().decode(bytes);
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const outside = [
  "../secret.txt",
  "a/../../secret.txt",
  "/etc/passwd",
  "/mnt/../mount-evil/s.txt",
  "..",
  "",
];

export function describeFilesContract(adapter: string, { create }: FilesUnderTest): void {
  describe(`${adapter} reading`, () => {
    it("reads a window of a file and tells the whole file's size", async () => {
      const files = await create({ "notes/a.txt": "0123456789" });
      const { bytes, size } = await files.read("notes/a.txt", { position: 3, maxBytes: 4 });
      expect([new TextDecoder().decode(bytes), size]).toEqual(["3456", 10]);
    });

    it("reads nothing past the end", async () => {
      const files = await create({ "a.txt": "abc" });
      const window = await files.read("a.txt", { position: 9, maxBytes: 4 });
      expect([window.bytes.length, window.size]).toEqual([0, 3]);
    });

    it("streams a file of many chunks whole and in order", async () => {
      const content = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join("");
      const files = await create({ "big.txt": content });
      expect((await drain(files.chunks("big.txt"))) === content).toBe(true);
    });

    it("streams nothing of an empty file", async () => {
      const files = await create({ "empty.txt": "" });
      expect(await drain(files.chunks("empty.txt"))).toBe("");
    });

    it("takes a path in any spelling that stays inside", async () => {
      const files = await create({ "notes/a.txt": "hello" });
      for (const path of [
        "./notes//a.txt",
        "x/../notes/a.txt",
        "notes/./a.txt",
        "notes/b/../a.txt",
      ]) {
        expect(await textOf(files, path)).toBe("hello");
      }
    });

    it("says that a file or directory is not there", async () => {
      const files = await create({ "notes/a.txt": "" });
      const missing = { code: "file.not_found" };
      await expect(files.read("notes/b.txt", { maxBytes: 1 })).rejects.toMatchObject(missing);
      await expect(files.stat("nowhere/b.txt")).rejects.toMatchObject(missing);
      await expect(files.list("nowhere", { depth: 1, maxEntries: 9 })).rejects.toMatchObject(
        missing,
      );
      await expect(drain(files.chunks("b"))).rejects.toMatchObject(missing);
    });

    it("refuses to read a directory and to list a file", async () => {
      const files = await create({ "notes/a.txt": "" });
      const refused = { code: "file.refused" };
      await expect(files.read("notes", { maxBytes: 1 })).rejects.toMatchObject(refused);
      await expect(drain(files.chunks("."))).rejects.toMatchObject(refused);
      await expect(files.list("notes/a.txt", { depth: 1, maxEntries: 9 })).rejects.toMatchObject(
        refused,
      );
      await expect(files.stat("notes/a.txt/b")).rejects.toMatchObject(refused);
    });

    it("tells kind and size", async () => {
      const files = await create({ "notes/a.txt": "abc" });
      expect(await files.stat("notes/a.txt")).toMatchObject({ kind: "file", size: 3 });
      expect(await files.stat("notes")).toMatchObject({ kind: "directory" });
      expect(await files.stat(".")).toMatchObject({ kind: "directory" });
    });
  });

  describe(`${adapter} writing`, () => {
    it("creates a file with its directories, then replaces it", async () => {
      const files = await create({});
      expect(await files.write("a/b/c.txt", bytesOf("one"))).toEqual({ created: true, bytes: 3 });
      expect(await files.write("a/b/c.txt", bytesOf("three"))).toEqual({
        created: false,
        bytes: 5,
      });
      expect(await textOf(files, "a/b/c.txt")).toBe("three");
    });

    it("leaves no temporary file behind", async () => {
      const files = await create({ "a.txt": "old" });
      await files.write("a.txt", bytesOf("new"));
      const { entries } = await files.list(".", { depth: 1, maxEntries: 9 });
      expect(entries).toEqual([{ path: "a.txt", kind: "file", size: 3 }]);
    });

    it("refuses to write over a directory or below a file", async () => {
      const files = await create({ "notes/a.txt": "kept" });
      for (const path of [".", "notes", "notes/a.txt/b.txt"]) {
        await expect(files.write(path, bytesOf("x"))).rejects.toMatchObject({
          code: "file.refused",
        });
      }
      expect(await textOf(files, "notes/a.txt")).toBe("kept");
    });

    it("P10: takes a backslash, a percent sign, dots and spaces in a name as they are", async () => {
      const files = await create({});
      for (const name of [
        "..\\x",
        "%2e%2e",
        "trailing. ",
        "...",
        "~",
        "~root",
        "$HOME",
        "file:",
        "*",
        "**",
      ]) {
        await files.write(name, bytesOf(name));
        expect(await textOf(files, name)).toBe(name);
      }
      const { entries } = await files.list(".", { depth: 1, maxEntries: 99 });
      expect(entries).toHaveLength(10);
    });

    it("P10: refuses NUL, lone surrogates and 5,000 characters", async () => {
      const files = await create({});
      for (const path of ["a\0b", "\ud800.txt", "x/".repeat(2500)]) {
        await expect(files.write(path, bytesOf(""))).rejects.toMatchObject({
          code: "file.outside",
        });
      }
    });

    it("P11: takes file://, ~, $HOME and \\\\host\\x as names, never as places", async () => {
      const files = await create({});
      for (const path of ["file://etc/passwd", "~/x", "$HOME/x", "\\\\host\\x"]) {
        await expect(files.read(path, { maxBytes: 9 })).rejects.toMatchObject({
          code: "file.not_found",
        });
      }
    });
  });

  describe(`${adapter} removing`, () => {
    it("takes a file away, and refuses directories and what is not there", async () => {
      const files = await create({ "notes/a.txt": "1", "notes/b.txt": "2" });
      await files.remove("notes/a.txt");
      const { entries } = await files.list("notes", { depth: 1, maxEntries: 9 });
      expect(entries.map(({ path }) => path)).toEqual(["notes/b.txt"]);
      await expect(files.remove("notes/a.txt")).rejects.toMatchObject({ code: "file.not_found" });
      await expect(files.remove("notes")).rejects.toMatchObject({ code: "file.refused" });
      await expect(files.remove(".")).rejects.toMatchObject({ code: "file.refused" });
    });
  });

  describe(`${adapter} staying inside`, () => {
    it.each(outside)("P01: refuses %j in every operation", async (path) => {
      const files = await create({ "a/b.txt": "" });
      const refused = { code: "file.outside" };
      await expect(files.read(path, { maxBytes: 1 })).rejects.toMatchObject(refused);
      await expect(drain(files.chunks(path))).rejects.toMatchObject(refused);
      await expect(files.stat(path)).rejects.toMatchObject(refused);
      await expect(files.list(path, { depth: 1, maxEntries: 1 })).rejects.toMatchObject(refused);
      await expect(files.write(path, bytesOf("x"))).rejects.toMatchObject(refused);
      await expect(files.remove(path)).rejects.toMatchObject(refused);
    });
  });

  describe(`${adapter} listing`, () => {
    const tree = {
      "b.txt": "1",
      "a/x.txt": "22",
      "a/y/z.txt": "333",
      "a.txt": "",
      "c/d/e/f.txt": "",
    };

    it("lists a directory's own entries, sorted", async () => {
      const files = await create(tree);
      expect(await files.list(".", { depth: 1, maxEntries: 99 })).toEqual({
        entries: [
          { path: "a", kind: "directory", size: 0 },
          { path: "a.txt", kind: "file", size: 0 },
          { path: "b.txt", kind: "file", size: 1 },
          { path: "c", kind: "directory", size: 0 },
        ],
        omitted: 0,
        omittedAtLeast: false,
      });
    });

    it("puts what a directory holds right after it, with paths from the root", async () => {
      const files = await create(tree);
      const { entries } = await files.list("a", { depth: 9, maxEntries: 99 });
      expect(entries.map(({ path }) => path)).toEqual(["a/x.txt", "a/y", "a/y/z.txt"]);
    });

    it("goes no deeper than it is asked to", async () => {
      const files = await create(tree);
      const { entries } = await files.list(".", { depth: 2, maxEntries: 99 });
      expect(entries.map(({ path }) => path)).toEqual([
        "a",
        "a/x.txt",
        "a/y",
        "a.txt",
        "b.txt",
        "c",
        "c/d",
      ]);
    });

    it("shows the nearest levels first when not all fits, and counts the rest", async () => {
      const files = await create(tree);
      const shallow = await files.list(".", { depth: 1, maxEntries: 3 });
      expect([shallow.entries.length, shallow.omitted, shallow.omittedAtLeast]).toEqual([
        3,
        1,
        false,
      ]);
      const deep = await files.list(".", { depth: 2, maxEntries: 5 });
      expect(deep.entries.map(({ path }) => path)).toEqual(["a", "a/x.txt", "a.txt", "b.txt", "c"]);
      expect(deep.omitted).toBe(2);
    });

    it("lists nothing in an empty workspace", async () => {
      const files = await create({});
      expect((await files.list(".", { depth: 3, maxEntries: 9 })).entries).toEqual([]);
    });
  });
}
