import { describe, expect, it } from "vitest";
import { expectGolden } from "./support/golden.ts";
import { stage } from "./support/stage.ts";

const run = "session/local:local:cli:owner:main/run/r7";

describe("the palette", () => {
  it("lists what can be done, and narrows while somebody types", async () => {
    await expectGolden("palette", {}, async (on) => {
      await on.press(":");
      await on.type("a");
    });
  });

  it("goes to a view, with a filter for it", async () => {
    const on = stage({ answers: { "audit.query": () => [] } });
    await on.press(":");
    await on.type("audit status:denied");
    await on.press("enter");
    on.clock.advance(2_000);
    await on.settled();
    expect(on.asked.at(-1)).toMatchObject({ params: { status: "denied" } });
    expect(on.rows().at(-2)).toContain("filter: status:denied");
  });

  it("completes names and what stands behind them", async () => {
    const on = stage();
    await on.press(":");
    await on.type("tra");
    await on.press("tab");
    await on.type("tg");
    await on.press("tab", "enter");
    expect(on.tui.trace).toBe("t-tg");
    await on.press(":");
    await on.type("trace");
    await on.press("enter");
    expect(on.tui.trace).toBeUndefined();
  });

  it("asks for what a command lacks instead of doing something", async () => {
    const on = stage();
    await on.press(":");
    await on.type("actor");
    await on.press("enter");
    expect(on.rows().join("\n")).toContain(": actor");
    await on.type("a25");
    await on.press("down", "up", "tab", "enter");
    expect(on.rows().join("\n")).toContain("─ approval a25 ─");
  });

  it("sends an event with its payload to the chosen actor", async () => {
    const answers = { "actor.send": () => ({ seq: 42, outcome: "handled", state: "cancelling" }) };
    const on = stage({ answers });
    await on.press("down", "down", ":");
    await on.type('send run.cancel {"reason": "too slow"}');
    await on.press("enter");
    expect(on.asked.at(-1)).toEqual({
      method: "actor.send",
      params: { address: run, event: "run.cancel", payload: { reason: "too slow" } },
    });
    expect(on.rows().at(-2)).toContain("run.cancel was handled");
  });

  it.each([
    ["frobnicate", "there is no frobnicate; empty what is typed to see all"],
    ["aprovals", "there is no aprovals; near it: approvals"],
    ["send run.cancel {", "behind the event stands a JSON object"],
    ["send run.cancel [1]", "behind the event stands a JSON object"],
    ["fork r7", "for example: fork r7 41 and now in French"],
    ["actor nobody", "no actor nobody is known here"],
    ["cancel r99", "no run r99 is known here"],
  ])("refuses %j, stays open and says why: %s", async (typed, words) => {
    const on = stage();
    await on.press("down", ":");
    await on.type(typed);
    await on.press("enter");
    expect(on.rows().join("\n")).toContain(words);
    expect(on.asked.map(({ method }) => method)).not.toContain("actor.send");
    await on.press("escape");
    expect(on.rows().join("\n")).not.toContain("what do you want to do?");
  });

  it("begins a session from a step of a run", async () => {
    const on = stage();
    await on.press(":");
    await on.type("fork r7 41 and now in French");
    await on.press("enter");
    expect(on.asked.at(-1)).toEqual({
      method: "runs.fork",
      params: { id: "r7", at: 41, text: "and now in French" },
    });
  });

  it("takes a paste as text, on one line, and does nothing with it", async () => {
    const on = stage();
    await on.press(":");
    await on.paste("quit\n\u001b[2J");
    expect(on.hasLeft()).toBe(false);
    expect(on.rows().join("\n")).toContain(String.raw`: quit \x1b[2J`);
  });

  it("leaves by quit", async () => {
    const on = stage();
    await on.press(":");
    await on.type("qu");
    await on.press("enter");
    expect(on.hasLeft()).toBe(true);
  });
});
