import { describe, expect, it } from "vitest";
import { fileEditTool } from "../../src/tools/file-edit.ts";
import { lineDiff } from "../../src/tools/line-diff.ts";
import { abortedContext, contextWith } from "./tool-context.ts";

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

async function edit(content: string | Uint8Array, old_text: string, new_text: string) {
  const context = contextWith({ "a.txt": content });
  const result = await fileEditTool.run({ path: "a.txt", old_text, new_text }, context);
  const { bytes } = await context.files.read("a.txt", { maxBytes: 1_000_000 });
  return { ...result, bytes, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
}

describe("file_edit", () => {
  it("replaces one passage and shows the lines around it", async () => {
    const { output, is_error, text } = await edit(poem, "five\nsix\n", "fünf\n");
    expect(is_error).toBe(false);
    expect(text).toBe("one\ntwo\nthree\nfour\nfünf\nseven\neight\nnine\n");
    expect(output).toBe(
      "Edited a.txt.\n\nFrom line 2:\n two\n three\n four\n-five\n-six\n+fünf\n seven\n eight\n nine",
    );
  });

  it("replaces within a line, and takes the new text as it is", async () => {
    const { output, text } = await edit("cost: 5 $\n", "5", "$& $1 $$");
    expect(text).toBe("cost: $& $1 $$ $\n");
    expect(output).toBe("Edited a.txt.\n\nFrom line 1:\n-cost: 5 $\n+cost: $& $1 $$ $");
  });

  it("deletes with an empty text", async () => {
    expect((await edit("a\nb\nc\n", "b\n", "")).text).toBe("a\nc\n");
  });

  it.each([
    [
      "no match",
      "abc\n",
      "x",
      "tool.failed: old_text does not occur in a.txt. Nothing was changed.",
    ],
    [
      "two matches",
      "x x\n",
      "x",
      "tool.failed: old_text occurs 2 times in a.txt. Nothing was changed.",
    ],
    ["overlapping matches", "aaa\n", "aa", "tool.failed: old_text occurs 2 times in a.txt."],
  ])(
    "changes nothing for %s, and says how many there are",
    async (_name, content, old, message) => {
      const result = await edit(content, old, "new");
      expect(result.is_error).toBe(true);
      expect(result.output.startsWith(message)).toBe(true);
      expect(result.text).toBe(content);
    },
  );

  it("refuses a change that is none", async () => {
    expect(await edit("abc", "b", "b")).toMatchObject({ is_error: true, text: "abc" });
  });

  it("finds lines as file_read shows them in a file with CR LF, and keeps its line ends", async () => {
    expect((await edit("a\r\nb\r\nc\r\n", "a\nb\n", "A\nB\n")).text).toBe("A\r\nB\r\nc\r\n");
    expect((await edit("a\r\nb\r\n", "b", "b\nc")).text).toBe("a\r\nb\r\nc\r\n");
    expect((await edit("a\r\nb\nc\r\n", "b\nc", "x\ny")).text).toBe("a\r\nx\ny\r\n");
  });

  it("keeps a byte order mark", async () => {
    expect((await edit("\ufeffabc\n", "abc", "xyz")).text).toBe("\ufeffxyz\n");
  });

  it("refuses files that are not text, and leaves their bytes alone", async () => {
    for (const bytes of [Uint8Array.of(97, 0, 98), Uint8Array.of(97, 0xff, 98)]) {
      const result = await edit(bytes, "a", "x");
      expect(result.output.startsWith("file.binary: ")).toBe(true);
      expect(result.bytes).toEqual(bytes);
    }
  });

  it("refuses a file that is too large, is not there or lies outside", async () => {
    const large = await edit("x".repeat(9_000_000), "x", "y");
    expect(large.output).toBe("file.refused: a.txt is larger than 8388608 bytes.");
    for (const [path, code] of [
      ["b.txt", "file.not_found"],
      ["../b.txt", "file.outside"],
    ] as const) {
      const call = { path, old_text: "a", new_text: "b" };
      expect((await fileEditTool.run(call, contextWith())).output.split(":")[0]).toBe(code);
    }
  });

  it("needs to read and to write exactly this path", () => {
    const call = { path: "./notes//a.md", old_text: "abc", new_text: "z" };
    expect(fileEditTool.capabilities(call)).toEqual(["fs.read:notes/a.md", "fs.write:notes/a.md"]);
    expect(fileEditTool.summary(call)).toBe("Replace 3 characters by 1 in ./notes//a.md");
  });

  it("does nothing once it was told to stop", async () => {
    const context = abortedContext({ "a.txt": "a" });
    const run = fileEditTool.run({ path: "a.txt", old_text: "a", new_text: "b" }, context);
    await expect(run).rejects.toMatchObject({ code: "activity.aborted" });
  });
});

describe("the lines of a change", () => {
  it("says where they begin and leaves out what is far away or too long", () => {
    const before = Array.from({ length: 300 }, (_, index) => `${index + 1}`).join("\n");
    const diff = lineDiff(before, before.replace("\n150\n", `\n${"x".repeat(500)}\n`)).split("\n");
    expect(diff.slice(0, 5)).toEqual(["From line 147:", " 147", " 148", " 149", "-150"]);
    expect(diff[5]).toBe(`+${"x".repeat(199)}…`);
    expect(diff.slice(6)).toEqual([" 151", " 152", " 153"]);
  });

  it("ends after 80 lines", () => {
    const diff = lineDiff("a\n".repeat(100), "b\n".repeat(100)).split("\n");
    expect(diff).toHaveLength(82);
    expect(diff.at(-1)).toBe("[120 more lines]");
  });
});
