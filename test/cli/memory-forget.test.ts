import { describe, expect, it } from "vitest";
import { wantedOf } from "../../src/cli/commands/memory-forget.ts";

describe("what memory forget is told", () => {
  it.each([
    ["main/local/MEMORY.md:4", "main/local/MEMORY.md", 4, 4],
    ["main/local/notes:4-9", "main/local/notes", 4, 9],
    ["main/local/my notes.md:3", "main/local/my notes.md", 3, 3],
    ["main/local/last year/To do.TXT:3-4", "main/local/last year/To do.TXT", 3, 4],
  ])("is lines of a file: %s", (what, path, line_start, line_end) => {
    expect(wantedOf(what)).toEqual({ path, line_start, line_end });
  });

  it.each([
    "the door code",
    "notes.md:3",
    "meet him and/or her at 10:30",
    "http://shop.example:8080",
    "see http://a.example/x.md:3",
    "main/local/MEMORY.md",
  ])("is a text: %s", (text) => {
    expect(wantedOf(text)).toEqual({ text });
  });
});
