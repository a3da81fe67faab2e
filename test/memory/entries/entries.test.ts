import { describe, expect, it } from "vitest";
import { withEntries } from "../../../src/memory/entries/append-entries.ts";
import {
  formatEntry,
  originsOfLines,
  parseEntries,
  sameness,
} from "../../../src/memory/entries/entries.ts";

const at = "14:02";
const web = ["web:example.com"];

describe("an entry", () => {
  it("ends with its time and whose text it is", () => {
    const entry = formatEntry({ text: "Anna likes tea.", origins: ["user:1001", ...web] }, at);
    expect(entry).toBe("- Anna likes tea. <!-- 14:02 user:1001 web:example.com -->");
    expect(parseEntries(entry)).toEqual([
      {
        line_start: 1,
        line_end: 1,
        text: "Anna likes tea.",
        origins: ["user:1001", "web:example.com"],
        at: "14:02",
      },
    ]);
  });

  it("of several lines is one entry, whose lines are indented", () => {
    const entry = formatEntry({ text: "Shopping:\n- milk\n\n\n\n- bread", origins: [] }, at);
    expect(entry).toBe("- Shopping:\n  - milk\n\n  - bread <!-- 14:02 -->");
    expect(parseEntries(`${entry}\n\ntext\n`)).toMatchObject([{ line_start: 1, line_end: 4 }]);
  });

  it("written by hand has no time and nobody else's text", () => {
    expect(parseEntries("# Notes\n\n* tea\n  with milk\nand sugar\n\nprose\n")).toMatchObject([
      { line_start: 3, line_end: 5, text: "tea\nwith milk\nand sugar", origins: [], at: null },
    ]);
  });

  it("keeps its sources where a person went on writing below it", () => {
    const [entry] = parseEntries("- from the page <!-- 14:02 web:a.b -->\n  my own words\n");
    expect(entry).toMatchObject({ text: "from the page\nmy own words", origins: ["web:a.b"] });
  });

  it.each([
    ["closes its comment", "x --> y", "x --&gt; y"],
    ["closes its comment otherwise", "x --!> y", "x --!&gt; y"],
    ["opens one", "x <!-- 09:00 user:1 -->", "x &lt;!-- 09:00 user:1 --&gt;"],
    ["begins as a heading", "# Rules", String.raw`\# Rules`],
    ["begins another entry", "- and this", String.raw`\- and this`],
    ["begins a numbered one", "1. first", String.raw`\1. first`],
    ["has a heading in it", "a\n# Rules", "a\n\\# Rules"],
    ["makes a heading of its line", "a\n---", "a\n\\---"],
    ["opens a fence", "a\n```\nb", "a\n\\```\nb"],
    ["leaves its indentation", "a\r\n- b\u2028- c", "a\n- b\\u{2028}- c"],
    ["hides", "a\u200bb\u202ec", "a\\u{200b}b\\u{202e}c"],
    ["moves the cursor", "a\rb\u001b[2Jc", "a\\rb\\x1b[2Jc"],
  ])("of a text that %s is one entry that says so", (_, text, shown) => {
    const file = withEntries(null, {
      heading: "2026-11-22",
      at,
      entries: [
        { text, origins: web },
        { text: "after it", origins: [] },
      ],
    });
    const entries = parseEntries(file);
    expect(entries.map((entry) => [entry.text, entry.origins])).toEqual([
      [shown, web],
      ["after it", []],
    ]);
    expect(file.split("\n").filter((line) => /^ {0,3}#/.test(line))).toEqual(["# 2026-11-22"]);
  });

  it("names sources that cannot end its comment", () => {
    const origins = ["file:a b--> c", "web:<x>%20", "session:earlier\n"];
    const [entry] = parseEntries(formatEntry({ text: "x", origins }, at));
    expect(entry?.origins).toEqual(["file:a b--> c", "web:<x>%20", String.raw`session:earlier\n`]);
  });

  it("is told by the lines that it touches", () => {
    const text = "- a <!-- 14:02 web:a -->\n- b\n  c <!-- 14:03 web:b -->\n";
    const entries = parseEntries(text);
    expect(originsOfLines(entries, { line_start: 2, line_end: 2 })).toEqual(["web:b"]);
    expect(originsOfLines(entries, { line_start: 1, line_end: 3 })).toEqual(["web:a", "web:b"]);
  });
});

describe("entries that are added", () => {
  const adding = (text: string) => ({ heading: "Memory", at, entries: [{ text, origins: [] }] });

  it("come under a heading that stands there once", () => {
    const first = withEntries(null, adding("one"));
    expect(first).toBe("# Memory\n\n- one <!-- 14:02 -->\n");
    expect(withEntries(first, adding("two"))).toBe(`${first}- two <!-- 14:02 -->\n`);
  });

  it("are not said twice", () => {
    const first = withEntries(null, adding("Anna likes  tea."));
    expect(withEntries(first, adding("anna likes tea."))).toBe(first);
    expect(sameness("# x\u200b")).toBe(sameness("# x\u200b"));
  });

  it("leave what a person wrote as it is, with its line ends", () => {
    expect(withEntries("prose\r\n\r\n", adding("one"))).toBe(
      "prose\r\n\r\n- one <!-- 14:02 -->\r\n",
    );
    expect(withEntries("- mine", adding("one"))).toBe("- mine\n- one <!-- 14:02 -->\n");
  });
});
