import { describe, expect, it } from "vitest";
import type { ActorStep } from "../../src/schema/socket/protocol.ts";
import type { SidecarEvent } from "../../src/schema/shown/news.ts";
import { expectGolden } from "./support/golden.ts";
import { dayStart, modelOfADay } from "./support/model-of-a-day.ts";
import { stage } from "./support/stage.ts";

const cli = "session/local:local:cli:owner:main";
const at = (seconds: number) => new Date(dayStart - seconds * 1000).toISOString();

const step = (seq: number, given: Partial<ActorStep> = {}): ActorStep => ({
  seq,
  at: at(60 - seq),
  address: `${cli}/run/r7`,
  event: "call.changed",
  outcome: "handled",
  reason: null,
  state_before: "thinking",
  state_after: "awaiting_tool",
  trace: "t-cli",
  ...given,
});

const event: SidecarEvent = {
  type: "ToolExecuted",
  seq: 44,
  at: at(10),
  channel_type: "telegram",
  connector_id: "tg_main",
  conversation_scope: "42",
  user_scope: "42",
  agent_id: "ops",
  session_id: "s2",
  trace_id: "t-tg",
  task_id: "t3",
  run_id: "r3",
  tool_call_id: "c3-0",
  tool: "shell_exec",
  status: "failed",
  duration_ms: 1234.4,
};

const busyDay = () => {
  const model = modelOfADay();
  model.steps.add([
    step(42),
    ...[43, 44, 45].map((seq) =>
      step(seq, { event: "run.steered", state_before: "awaiting_tool" }),
    ),
    step(46, { event: "run.x", outcome: "not_accepted", reason: "nothing takes it\u001b[2J" }),
  ]);
  model.events.add([event]);
  const bus = (published: number, delivered: number) => ({
    published: { "actor.stepped": published, "text.delta": 41, "MessageAccepted": 4 },
    listeners: [
      { name: "log", listening: 1, queued: 0, delivered, dropped: 0, failed: 0 },
      { name: "chat", listening: 2, queued: 3, delivered: 120, dropped: 1, failed: 0 },
    ],
  });
  model.traffic.sample(bus(400, 100), dayStart - 2000);
  model.traffic.sample(bus(425, 118), dayStart);
  return model;
};

describe("the view of the bus", () => {
  it("shows what happens, how much of it, and who listens", async () => {
    await expectGolden("bus", { model: busyDay }, (on) => on.press("5"));
  });

  it("says how much goes in and out, waits and is lost", async () => {
    const on = stage({ model: busyDay });
    await on.press("f5");
    expect(on.rows().join("\n")).toContain("in 13/s  out 9.0/s  backlog 3  drops 1");
  });

  it("folds what is repeated into one row, and shows hostile text as text", async () => {
    const on = stage({ model: busyDay, size: { columns: 160, rows: 40 } });
    await on.press("5", "z");
    const shown = on.rows().join("\n");
    expect(shown).toMatch(/run\.steered {2}awaiting_tool {2}run\/r7 ×3/);
    expect(shown).toContain(String.raw`not_accepted: nothing takes it\x1b[2J`);
  });

  it("stands still while it is paused, says how much came meanwhile, and goes on", async () => {
    const on = stage({ model: busyDay });
    await on.press("5", " ");
    on.model.steps.add([step(90, { event: "run.later" }), step(91, { event: "run.last" })]);
    on.tui.changed();
    await on.settled();
    expect(on.rows().join("\n")).toContain("bus, paused: 2 more");
    expect(on.rows().join("\n")).not.toContain("run.last");
    await on.press(" ");
    expect(on.rows().join("\n")).toContain("run.last");
  });

  it("is narrowed by words, fields and a trace", async () => {
    const on = stage({ model: busyDay });
    await on.press("5", "/");
    await on.type("tool:shell");
    await on.press("enter");
    expect(on.rows().join("\n")).toContain("shell_exec failed in 1234 ms");
    expect(on.rows().join("\n")).not.toContain("run.steered");
    await on.press("t", "escape");
    expect(on.tui.trace).toBe("t-tg");
    expect(on.rows().join("\n")).not.toContain("run.steered");
    await on.press("T");
    expect(on.rows().join("\n")).toContain("run.steered");
  });

  it("begins anew after the service was attached again", async () => {
    const on = stage({ model: busyDay });
    await on.press("5");
    on.model.steps.clear();
    on.model.steps.add([step(42)]);
    on.tui.changed();
    await on.settled();
    const rows = on.rows().filter((row) => row.includes("call.changed"));
    expect(rows).toHaveLength(1);
    expect(on.rows().join("\n")).not.toContain("run.steered");
  });

  it("stands below the tree of actors where there is room", async () => {
    const on = stage({ model: busyDay });
    await on.press("1");
    expect(on.rows().join("\n")).toContain("run.steered");
    on.screen.resize({ columns: 90, rows: 30 });
    await on.settled();
    expect(on.rows().join("\n")).not.toContain("run.steered");
  });
});
