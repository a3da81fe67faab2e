import { describe, expect, it } from "vitest";
import { stage, type Answers } from "./support/stage.ts";
import { expectGolden } from "./support/golden.ts";
import { modelOfADay } from "./support/model-of-a-day.ts";
import { actorDetails, runRecord, sessionRecord } from "./support/records-of-a-day.ts";

const { usage } = runRecord("r3");
const answers: Answers = {
  "sessions.show": ({ id }: { id: string }) => sessionRecord(id),
  "actor.get": ({ address }: { address: string }) => actorDetails(address),
  "usage.totals": () => [{ ...usage, name: "s1", last_at: "2026-01-05T12:00:00Z", budgets: [] }],
  "runs.show": ({ id }: { id: string }) => runRecord(id),
  "sessions.reset": () => ({ seq: 50, outcome: "handled", state: "closing" }),
  "runs.cancel": () => ({ seq: 50, outcome: "handled", state: "cancelling" }),
};

const screen = (on: ReturnType<typeof stage>) => on.rows().join("\n");

describe("the view of sessions", () => {
  it("shows the conversations and what was said in the chosen one", async () => {
    await expectGolden("sessions", { answers }, (on) => on.press("f2"));
  });

  it("tells what a conversation was forked from, what waits in it and whose words it has read", async () => {
    const on = stage({ answers });
    await on.press("f2", "tab", "right");
    const shown = screen(on);
    expect(shown).toMatch(/forked\s+from step 12 of r3/);
    expect(shown).toMatch(/queued\s+2 messages wait/);
    expect(shown).toMatch(/tainted by\s+tool:mcp/);
    expect(shown).toMatch(/r7 ▶ awaiting_tool/);
  });

  it("draws nothing that a message would have a terminal do, and cuts long results", async () => {
    const on = stage({ answers });
    await on.press("f2");
    expect(screen(on)).toContain(String.raw`write \x1b]0;owned\x07 buy\u{202e} milk`);
    expect(screen(on)).toMatch(/✓ 1[\s\S]*… \(i shows all of it\)/);
    expect(screen(on)).not.toMatch(/│ *5 *│/);
  });

  it("closes a session only after a yes", async () => {
    const on = stage({ answers });
    await on.press("f2", "x", "escape");
    expect(on.asked.map(({ method }) => method)).not.toContain("sessions.reset");
    await on.press("x", "enter");
    const asked = on.asked.filter(({ method }) => method === "sessions.reset");
    expect(asked).toEqual([{ method: "sessions.reset", params: { id: "s1" } }]);
    expect(on.rows().at(-2)).toContain("s1 is closing");
  });

  it("cancels the run that works in it, and says where none does", async () => {
    const on = stage({ answers });
    await on.press("f2", "c", "enter");
    expect(on.asked.at(-1)).toEqual({
      method: "runs.cancel",
      params: { id: "r7", after_step: false },
    });
    await on.press("down", "c");
    expect(on.rows().at(-2)).toContain("nothing runs in s2");
  });

  it("leads to its runs, and from a run back to it", async () => {
    const on = stage({ answers });
    await on.press("f2", "down", "r");
    expect(screen(on)).toContain("─ run r3 ");
    await on.press("up", "s");
    expect(screen(on)).toContain("─ session s1 ");
  });

  it("says that a conversation of a channel cannot be talked in from here", async () => {
    const on = stage({ answers });
    await on.press("f2", "down", "enter");
    expect(on.rows().at(-2)).toContain("it cannot be talked in from here");
  });

  it("says what a session is when there is none", async () => {
    const model = () => ({ ...modelOfADay(), sessions: [] });
    const on = stage({ model, answers });
    await on.press("f2");
    expect(screen(on)).toContain("no conversation yet: a message begins one");
    expect(screen(on)).toContain("choose a session");
  });
});
