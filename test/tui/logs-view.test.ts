import { describe, expect, it } from "vitest";
import type { Results, ShownAudit } from "../../src/schema/socket/protocol.ts";
import { auditRow } from "./support/audit-of-a-day.ts";
import { expectGolden } from "./support/golden.ts";
import { dayStart, modelOfADay } from "./support/model-of-a-day.ts";
import { type Answers, stage } from "./support/stage.ts";

const at = (seconds: number) => new Date(dayStart - seconds * 1000).toISOString();
const [r7, r3] = modelOfADay().runs;

function shownRun(id: string): Results["runs.show"] {
  const run = id === "r7" ? r7 : r3;
  if (run === undefined) throw new Error(`no run ${id}`);
  const more = { budgets: [], recalled: [], waits: null, trust: null };
  if (id === "r7")
    return {
      ...run,
      ...more,
      steps: [step("r7", 1, 4, null)],
      audit: [
        auditRow(7, { start_at: at(3.6), end_at: at(2), kind: "invocation", status: "done" }),
      ],
    };
  return {
    ...run,
    ...more,
    steps: [step("r3", 1, 40, 35), step("r3", 2, 35, 30)],
    audit: [
      toolRow(3, "decision", "approved", 39, 36.5),
      toolRow(4, "invocation", "done", 36.5, 36),
      toolRow(5, "invocation", "failed", 34, 31),
    ],
  };
}

function step(run_id: string, number: number, from: number, to: number | null) {
  const step_id = `${run_id}.${number}`;
  const ended_at = to === null ? null : at(to);
  return { step_id, run_id, number, action: "tool_call" as const, started_at: at(from), ended_at };
}

function toolRow(
  n: number,
  kind: ShownAudit["kind"],
  status: string,
  from: number,
  to: number,
): ShownAudit {
  return auditRow(n, {
    kind,
    status,
    tool: "shell_exec",
    step_id: n < 5 ? "r3.1" : "r3.2",
    approval_required: kind === "decision" ? 1 : 0,
    start_at: at(from),
    end_at: at(to),
  });
}

const answers: Answers = {
  "runs.list": ({ trace }: { trace: string }) =>
    modelOfADay().runs.filter(({ trace_id }) => trace_id === trace),
  "runs.show": ({ id }: { id: string }) => shownRun(id),
};

const talkative = () => {
  const model = modelOfADay();
  model.logs.add([
    { time: at(20), level: "debug", message: "asked", trace_id: "t-cli", agent_id: "main" },
    { time: at(9), level: "error", message: "a step\u0007 failed", trace_id: "t-tg", run_id: "r3" },
  ]);
  return model;
};

describe("the view of logs", () => {
  it("shows the log, and what was done for the chosen trace over time", async () => {
    await expectGolden("logs", { model: talkative, answers }, (on) => on.press("6"));
  });

  it("shows what still goes on as open bars: who is asked, which call works", async () => {
    await expectGolden("logs-going-on", { model: talkative, answers }, (on) =>
      on.press("6", "up", "tab", "z"),
    );
  });

  it.each([
    ["level:warn", ["a run failed", String.raw`a step\x07 failed`]],
    ["level:error", [String.raw`a step\x07 failed`]],
    ["agent:main", ["asked"]],
    ["failed run:r3", ["a run failed", String.raw`a step\x07 failed`]],
    ["trace:t-cli", ["asked"]],
    ["level:nonsense", []],
  ])("finds with %s: %j", async (filter, messages) => {
    const on = stage({ model: talkative, answers });
    await on.press("6", "z", "/");
    await on.type(filter);
    await on.press("enter");
    const all = ["engine has started", "asked", "a run failed", String.raw`a step\x07 failed`];
    const shown = on.rows().join("\n");
    expect(all.filter((message) => shown.includes(message))).toEqual(messages);
  });

  it("shows a record whole", async () => {
    const on = stage({ model: talkative, answers });
    await on.press("6", "enter");
    expect(on.rows().join("\n")).toContain('"run_id": "r3"');
  });

  it("is narrowed to one trace, with the waterfall of that trace", async () => {
    const on = stage({ model: talkative, answers });
    await on.press("6", "up", "t");
    expect(on.tui.trace).toBe("t-cli");
    const shown = on.rows().join("\n");
    expect(shown).toContain("waterfall of t-cli");
    expect(shown).toContain("asked");
    expect(shown).not.toContain("a run failed");
  });

  it("asks again only when something happened to the trace", async () => {
    const on = stage({ model: talkative, answers });
    await on.press("6");
    on.asked.length = 0;
    for (let times = 0; times < 5; times += 1) {
      on.tui.changed();
      await on.settled();
    }
    expect(on.asked).toEqual([]);
  });
});
