import { describe, expect, it } from "vitest";
import type { ShownMemoryHit } from "../../src/schema/shown/shown-memory.ts";
import { expectGolden } from "./support/golden.ts";
import { type Answers, stage } from "./support/stage.ts";

const hit = (line: number, text: string): ShownMemoryHit => ({
  score: 1 - line / 50,
  kind: "memory",
  path: "main/local/MEMORY.md",
  line_start: line,
  line_end: line + 1,
  text,
  agent: "main",
  heading: "People > Anna",
  origins: ["user:1001", "web:\u001b[2Jexample.com"],
});

const answers: Answers = {
  "audit.query": () => [],
  "memory.search": ({ query }: { query: string }) =>
    query === "nothing"
      ? []
      : [
          hit(3, "Anna's birthday is on May 3rd.\nShe likes \u202egnihton."),
          hit(9, `${query} 漢字`),
        ],
};

describe("searching memory", () => {
  it("asks for words, and shows the best memories with their places", async () => {
    await expectGolden("memory", { answers }, async (on) => {
      await on.press("8", "s");
      await on.type("anna");
      await on.press("enter", "down");
    });
  });

  it("shows a memory whole, with whose text it is, and goes back to the list", async () => {
    const on = stage({ answers });
    await on.press("8", "s");
    await on.type("anna");
    await on.press("enter", "enter");
    const whole = on.rows().join("\n");
    expect(whole).toContain("main/local/MEMORY.md:3-4");
    expect(whole).toContain(String.raw`from user:1001, web:\x1b[2Jexample.com`);
    expect(whole).not.toMatch(/[\u001b\u202e]/);
    await on.press("escape");
    expect(on.rows().join("\n")).toContain("2 for anna");
    await on.press("escape");
    expect(on.rows().join("\n")).not.toContain("search memory ─");
  });

  it("scrolls through a memory that is longer than the screen", async () => {
    const long = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of it`).join("\n");
    const on = stage({ answers: { ...answers, "memory.search": () => [hit(3, long)] } });
    await on.press("8", "s");
    await on.type("anna");
    await on.press("enter", "enter");
    expect(on.rows().join("\n")).toContain("line 1 of it");
    expect(on.rows().join("\n")).not.toContain("line 60 of it");
    await on.press("pagedown", "pagedown", "pagedown", "pagedown");
    expect(on.rows().join("\n")).toContain("line 60 of it");
  });

  it("searches again when other words are typed, and says when nothing is found", async () => {
    const on = stage({ answers });
    await on.press(":");
    await on.type("memory anna");
    await on.press("enter");
    expect(on.rows().join("\n")).toContain("2 for anna");
    await on.press("C-u");
    await on.type("nothing");
    await on.press("enter", "enter");
    expect(on.rows().join("\n")).toContain("nothing of that is remembered");
    expect(on.asked.filter(({ method }) => method === "memory.search")).toEqual([
      { method: "memory.search", params: { query: "anna", limit: 30 } },
      { method: "memory.search", params: { query: "nothing", limit: 30 } },
    ]);
  });

  it("says why where memory cannot be searched, and stays open", async () => {
    const on = stage({ answers: { "audit.query": () => [] } });
    await on.press("8", "s");
    await on.type("anna");
    await on.press("enter");
    expect(on.rows().join("\n")).toContain("nothing answers memory.search here");
    expect(on.rows().join("\n")).toContain("what is to be found in memory?");
  });
});
