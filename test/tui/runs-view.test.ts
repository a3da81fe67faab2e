import { describe, expect, it } from "vitest";
import { stage, type Answers } from "./support/stage.ts";
import { expectGolden } from "./support/golden.ts";
import { modelOfADay } from "./support/model-of-a-day.ts";
import { actorDetails, runRecord } from "./support/records-of-a-day.ts";

const answers: Answers = {
  "runs.show": ({ id }: { id: string }) => runRecord(id),
  "actor.get": ({ address }: { address: string }) => actorDetails(address),
  "runs.cancel": () => ({ seq: 42, outcome: "handled", state: "awaiting_tool" }),
};

const screen = (on: ReturnType<typeof stage>) => on.rows().join("\n");

describe("the view of runs", () => {
  it("shows what runs under each run, also of ended ones", async () => {
    await expectGolden("runs", { answers }, async (on) => {
      await on.press("f3", "enter", "down", "down", "down", "down", "enter", "down", "down");
      await on.settled();
    });
  });

  it("says what a living run waits for before it is unfolded", async () => {
    const on = stage({ answers });
    await on.press("f3");
    expect(screen(on)).toMatch(/▸ r7 .* asks: writes 8 bytes to todo/);
  });

  it("tells of the chosen call what it asked for, who allowed it, and how it failed", async () => {
    const on = stage({ answers });
    await on.press("f3", "end", "enter", "down", "down");
    const shown = screen(on);
    expect(shown).toContain("run r3, call of shell_exec");
    expect(shown).toMatch(/decided\s+approved by tui/);
    expect(shown).toMatch(/error\s+the command ended with 1/);
    expect(shown).toContain(String.raw`\u001b]0;owned`);
  });

  it("shows what a run was reminded of, with its place", async () => {
    const on = stage({ answers, size: { columns: 120, rows: 60 } });
    await on.press("f3", "end", "enter");
    expect(screen(on)).toMatch(/recalled[\s\S]*0\.82 +main\/local\/MEMORY\.md:3 +Things to get:/);
  });

  it("narrows to runs with a tool, an agent or a trace, and keeps what is below them", async () => {
    const on = stage({ answers });
    await on.press("f3", "end", "enter", "/");
    await on.type("tool:shell_exec agent:ops");
    await on.press("enter");
    expect(screen(on)).toContain("1 of 2");
    expect(screen(on)).toMatch(/▾ r3[\s\S]*step 1[\s\S]*shell_exec/);
    await on.press("escape", "home", "t");
    expect(screen(on)).toContain("▸ r7");
    expect(screen(on)).not.toContain("r3 ");
  });

  it("cancels a run after its step only when that is chosen", async () => {
    const on = stage({ answers });
    await on.press("f3", "c");
    expect(screen(on)).toContain("cancel run r7, which is awaiting_tool?");
    expect(on.asked.map(({ method }) => method)).not.toContain("runs.cancel");
    await on.press("down", "enter");
    expect(on.asked.at(-1)).toEqual({
      method: "runs.cancel",
      params: { id: "r7", after_step: true },
    });
    expect(on.rows().at(-2)).toContain("the run r7 is awaiting_tool and stops after this step");
  });

  it("cancels nothing that has ended, and sends it no event", async () => {
    const on = stage({ answers });
    await on.press("f3", "end", "c");
    expect(on.rows().at(-2)).toContain("r3 has ended already: failed");
    await on.press("e");
    expect(on.rows().at(-2)).toContain("r3 has ended: nothing can be sent to it");
  });

  it("asks seldom for a run that changes all the time, and lets others have their turn", async () => {
    const on = stage({ answers });
    await on.press("f3", "end", "enter", "home", "enter");
    on.asked.length = 0;
    const actors = on.model.actors.all().filter(({ kind }) => kind === "tool_call");
    for (let times = 0; times < 40; times += 1) {
      const changed = actors.map((row) => ({ ...row, state: `state_${times}` }));
      on.model.actors.apply(changed, on.clock.now());
      on.tui.changed();
      on.clock.advance(25);
      await Promise.resolve();
    }
    const shows = on.asked.filter(({ method }) => method === "runs.show");
    expect(shows.length).toBeGreaterThan(0);
    expect(shows.length).toBeLessThanOrEqual(6);
  });

  it("stays on its run while newer ones come, and shows an empty list as such", async () => {
    const on = stage({ answers });
    await on.press("f3", "down");
    const [newest] = on.model.runs;
    if (newest === undefined) throw new Error("no run");
    on.model.runs = [{ ...newest, run_id: "r8" }, ...on.model.runs];
    on.tui.changed();
    await on.settled();
    expect(screen(on)).toContain("─ run r3 ");
    on.model.runs = [];
    on.tui.changed();
    expect(screen(on)).toContain("no run yet: a message begins one");
  });

  it("draws 200 runs with 500 actors in a few milliseconds", async () => {
    const model = modelOfADay();
    const [first] = model.runs;
    if (first === undefined) throw new Error("no run");
    model.runs = Array.from({ length: 200 }, (_, n) => ({ ...first, run_id: `q${n}` }));
    const on = stage({ model: () => model, answers });
    await on.press("f3");
    const rows = model.actors.all();
    const before = process.cpuUsage();
    for (let times = 0; times < 50; times += 1) {
      model.actors.apply(rows, on.clock.now());
      on.rows();
    }
    const { user } = process.cpuUsage(before);
    expect(user / 50 / 1000).toBeLessThan(20);
  });
});
