import { describe, expect, it } from "vitest";
import { showChart } from "../../src/app/charts.ts";
import { activePaths } from "../../src/tui/replay/moment-lines.ts";
import { stage, type Answers } from "./support/stage.ts";
import { expectGolden } from "./support/golden.ts";
import { actorDetails, momentAt, replayPages, runRecord } from "./support/records-of-a-day.ts";

const answers = (frames?: number): Answers => ({
  "runs.show": ({ id }: { id: string }) => runRecord(id),
  "actor.get": ({ address }: { address: string }) => actorDetails(address),
  "machines.show": ({ name }: { name: string }) => showChart(name),
  "runs.replay": replayPages(frames),
  "runs.moment": momentAt,
  "runs.fork": ({ id, at }: { id: string; at: number }) => ({
    session_id: "s9",
    address: "session/local:local:fork-9:owner:main",
    agent_id: "main",
    session: "fork-9",
    run_id: "r90",
    trace_id: "t-fork",
    forked_from: { run_id: id, at },
    messages: 3,
    cut_calls: 1,
    is_shortened: false,
  }),
});

type Stage = ReturnType<typeof stage>;
const screen = (on: Stage) => on.rows().join("\n");
const head = (on: Stage) => on.rows()[1] ?? "";
const asked = (on: Stage, method: string) => on.asked.filter((each) => each.method === method);

async function replaying(frames?: number): Promise<Stage> {
  const on = stage({ answers: answers(frames) });
  await on.press("f3", "r");
  return on;
}

describe("the replay of a run", () => {
  it("shows its steps, and the run as it was at the chosen one", async () => {
    await expectGolden("replay", { answers: answers() }, async (on) => {
      await on.press("f3", "r", "right", "right", "right", "right");
      await on.settled();
    });
  });

  it("goes back and forth, to the ends, and to answers and results", async () => {
    const on = await replaying();
    expect(head(on)).toMatch(/│1\/6 {2}11:59:56\.000 {2}\+0ms {2}same/);
    await on.press("right", "right", "left");
    expect(head(on)).toContain("2/6");
    await on.press("]");
    expect(head(on)).toMatch(/3\/6 .*\+900ms/);
    await on.press("]");
    expect(head(on)).toMatch(/6\/6 .*unknown/);
    await on.press("]");
    expect(on.rows().at(-2)).toContain("no later answer or result");
    await on.press("[");
    expect(head(on)).toContain("3/6");
    await on.press("[");
    expect(on.rows().at(-2)).toContain("no earlier answer or result");
    await on.press("home", "left");
    expect(head(on)).toContain("1/6");
    await on.press("end");
    expect(head(on)).toContain("6/6");
  });

  it("says where today's chart does something else, and what cannot be run again", async () => {
    const on = await replaying();
    await on.press("end");
    expect(screen(on)).toContain("rejected: it was over");
    expect(screen(on)).toContain("not run again: version 1 of the chart is not here any more");
    await on.press("left");
    expect(screen(on)).toContain("today's chart does something else: state");
    expect(screen(on)).toContain("recorded awaiting_approval");
    expect(screen(on)).toContain("found    executing");
  });

  it("shows the context, the event and the conversation of that moment, cleaned", async () => {
    const on = await replaying();
    await on.press("right", "right", "tab");
    expect(screen(on)).toContain('"round": 1');
    await on.press("tab");
    expect(screen(on)).toContain(String.raw`"note": "\u001b]0;owned\u0007 buy\u{202e} milk"`);
    await on.press("tab");
    expect(screen(on)).toMatch(/recalled[^]* 0\.50 {2}main\/local\/MEMORY\.md:3 {2}Anna /);
    expect(screen(on)).toContain("I shall write it down.");
    await on.press("tab");
    expect(screen(on)).toContain("● awaiting_tool");
    await on.press("i");
    expect(screen(on)).toContain('"run_id": "r7"');
  });

  it("reads 10 000 steps page by page as they are needed, and asks only for the moment it stays at", async () => {
    const on = await replaying(10_000);
    expect(head(on)).toContain("1/200+");
    expect(asked(on, "runs.replay")).toHaveLength(1);
    for (let times = 0; times < 160; times += 1) on.screen.events?.key({ name: "right" });
    await on.settled();
    await on.settled();
    expect(head(on)).toContain("161/400+");
    expect(asked(on, "runs.moment").length).toBeLessThanOrEqual(3);
    expect(asked(on, "runs.moment").at(-1)?.params).toEqual({ id: "r7", seq: 190 });
    on.screen.events?.key({ name: "end" });
    for (let times = 0; times < 40; times += 1) await on.settled();
    expect(head(on)).toContain("10000/10000");
    expect(asked(on, "runs.replay")).toHaveLength(50);
  });

  it("stops reading on when another key is pressed", async () => {
    const on = await replaying(10_000);
    on.screen.events?.key({ name: "end" });
    await Promise.resolve();
    on.screen.events?.key({ name: "home" });
    for (let times = 0; times < 10; times += 1) await on.settled();
    expect(head(on)).toMatch(/│1\/[24]00\+/);
    expect(asked(on, "runs.replay").length).toBeLessThanOrEqual(3);
  });

  it("looks for more behind the end of a run that goes on", async () => {
    const on = await replaying();
    await on.press("end");
    on.asked.length = 0;
    await on.press("right");
    expect(asked(on, "runs.replay")).toEqual([
      { method: "runs.replay", params: { id: "r7", after_seq: 35, limit: 200 } },
    ]);
    expect(head(on)).toContain("6/6");
  });

  it("asks the service for nothing that changes it, whatever key is pressed", async () => {
    const on = await replaying();
    on.asked.length = 0;
    const letters = "abcdeghjklmnoprstuvwxyzABCDEGHIJKLMNOPRSTUVWXYZ0123456789 .,;-+*/!".split("");
    for (const letter of letters) {
      on.screen.events?.key({ name: letter, text: letter });
    }
    await on.settled();
    const reads = new Set([
      "runs.show",
      "actor.get",
      "machines.show",
      "runs.replay",
      "runs.moment",
    ]);
    expect(on.asked.filter(({ method }) => !reads.has(method))).toEqual([]);
  });
});

describe("a fork", () => {
  it("begins at the shown step with what is typed, and leads to the new session", async () => {
    const on = await replaying();
    await on.press("right", "F", "enter");
    expect(screen(on)).toContain("as it was at step 31 of r7.");
    expect(screen(on)).toContain("a fork begins with a message: type one");
    await on.type("write it to b.txt");
    await on.press("enter");
    expect(asked(on, "runs.fork")).toEqual([
      { method: "runs.fork", params: { id: "r7", at: 31, text: "write it to b.txt" } },
    ]);
    expect(on.rows().at(-2)).toContain("s9 began with 3 messages, calls cut off: 1");
    expect(screen(on)).toContain("in the chat, session fork-9");
    await on.press("escape");
    expect(head(on)).toContain("2/6");
  });

  it("of a run in the list begins at its last step", async () => {
    const on = stage({ answers: answers() });
    await on.press("f3", "F");
    await on.type("once more");
    await on.press("enter");
    expect(asked(on, "runs.fork")[0]?.params).toEqual({ id: "r7", at: 41, text: "once more" });
  });

  it("that is refused says why and goes nowhere", async () => {
    const { "runs.fork": _, ...others } = answers();
    const on = stage({ answers: others });
    await on.press("f3", "r", "F");
    await on.type("again");
    await on.press("enter");
    expect(on.rows().at(-2)).toContain("nothing answers runs.fork here");
    expect(head(on)).toContain("1/6");
  });
});

it("names every active state of a value, the outer ones first", () => {
  expect(activePaths("idle")).toEqual(["idle"]);
  expect(activePaths({ working: { calls: "open", clock: {} } })).toEqual([
    "working",
    "working.calls",
    "working.calls.open",
    "working.clock",
  ]);
  expect(activePaths(null)).toEqual([]);
});
