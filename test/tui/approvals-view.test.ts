import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/schema/errors.ts";
import type { ShownApproval } from "../../src/schema/socket/protocol.ts";
import type { Model } from "../../src/tui/model/model.ts";
import { expectGolden } from "./support/golden.ts";
import { modelOfADay, pendingApproval } from "./support/model-of-a-day.ts";
import { type Answers, stage } from "./support/stage.ts";

const second: ShownApproval = {
  ...pendingApproval,
  id: "a26",
  binding: "b-2",
  summary: "writes 5 bytes to notes/plan.txt",
  input: { path: "notes/plan.txt", content: "later" },
  requested: ["fs.write:notes/plan.txt"],
  proposed_grants: ["fs.write:notes/plan.txt"],
};

const edit: ShownApproval = {
  ...pendingApproval,
  tool: "file_edit",
  summary: "replaces 8 bytes in todo.txt",
  input: {
    path: "todo.txt",
    old_text: "buy milk\nfeed cat",
    new_text: "buy oat milk\nfeed cat\u001b[2J",
  },
};

const question: ShownApproval = {
  ...pendingApproval,
  kind: "question",
  tool: "ask_user",
  summary: "Which shop is it?\nThe one that you like best.",
  input: { question: "Which shop is it?" },
  requested: [],
  proposed_grants: [],
  options: ["the corner shop", "the market"],
  default_answer: "the corner shop",
};

const outcome: ShownApproval = {
  ...pendingApproval,
  kind: "outcome",
  tool: "shell_exec",
  risk: "unsafe",
  summary: "runs rm -rf build",
  input: { command: "rm -rf build/" },
  reason: "The service ended while it ran: nobody knows whether it took effect.",
  requested: ["shell.exec:rm"],
  options: ["retry", "skip", "done"],
  default_answer: "skip",
};

const budget: ShownApproval = {
  ...pendingApproval,
  kind: "budget",
  tool: "budget",
  summary: "The run has used 0.98 of 1 US dollars; the next model call may need up to 0.05 more.",
  reason: "`budget.run` is 1 US dollar.",
  input: {},
  requested: [],
  proposed_grants: [],
  options: ["continue", "stop"],
  default_answer: "stop",
};

function waiting(...approvals: readonly ShownApproval[]): () => Model {
  return () => Object.assign(modelOfADay(), { approvals });
}

const decided: Answers = {
  "approvals.decide": ({
    id,
    decision,
    scope,
  }: {
    id: string;
    decision: string;
    scope?: "session";
  }) => ({
    id,
    state: decision === "approve" ? "approved" : "denied",
    scope: scope ?? "once",
    until: null,
  }),
  "approvals.answer": ({ id }: { id: string }) => ({ id, state: "answered" }),
  "approvals.list": () => [],
};

/** In the view of approvals, after its question could be read. */
async function reading(...approvals: readonly ShownApproval[]) {
  const on = stage({ model: waiting(...approvals), answers: decided });
  await on.press("f4");
  on.clock.advance(400);
  return on;
}

const toldOf = (on: { asked: readonly { method: string; params: unknown }[] }) =>
  on.asked.filter(({ method }) => method.startsWith("approvals.") && method !== "approvals.list");

describe("the view of approvals", () => {
  it.each([
    ["call", [pendingApproval, second]],
    ["edit", [edit]],
    ["question", [question]],
    ["outcome", [outcome]],
    ["budget", [budget]],
  ] as const)("shows all that must be known of a waiting %s", async (name, approvals) => {
    const model = waiting(...approvals);
    await expectGolden(`approval-${name}`, { model, answers: decided }, (on) => on.press("f4"));
  });

  it("says in the header that something waits, and how to come there", async () => {
    const on = stage({ model: waiting(pendingApproval) });
    await on.settled();
    expect(on.rows()[0]).toContain("? 1 waits for you (F4)");
  });

  it("allows once what is shown, with y, and goes on to the next one", async () => {
    const on = await reading(pendingApproval, second);
    await on.press("y");
    expect(toldOf(on)).toEqual([
      { method: "approvals.decide", params: { id: "a25", binding: "b-1", decision: "approve" } },
    ]);
    expect(on.rows().at(-2)).toContain("a25 is approved");
    expect(on.rows().join("\n")).toContain("Approval a26: may main do this?");
    expect(on.rows().join("\n")).not.toContain("may main do this?\na25");
  });

  it.each([
    ["s", { decision: "approve", scope: "session" }],
    ["n", { decision: "deny" }],
  ])("says with %s what the keys beside the question say", async (key, word) => {
    const on = await reading(pendingApproval);
    await on.press(key);
    expect(toldOf(on)).toEqual([
      { method: "approvals.decide", params: { id: "a25", binding: "b-1", ...word } },
    ]);
  });

  it("takes no key for an answer before the question could be read, nor Enter, nor a paste", async () => {
    const on = stage({ model: waiting(pendingApproval, second), answers: decided });
    await on.settled();
    on.screen.events?.key({ name: "f4" });
    on.clock.advance(100);
    for (const name of ["y", "s", "n", "f"]) on.screen.events?.key({ name, text: name });
    on.clock.advance(600);
    await on.press("enter");
    await on.paste("y");
    expect(toldOf(on)).toEqual([]);
    on.screen.events?.key({ name: "y", text: "y" });
    on.screen.events?.key({ name: "y", text: "y" });
    await on.settled();
    expect(toldOf(on).length).toBe(1);
  });

  it("counts anew when the call that is asked about became another one", async () => {
    const on = await reading(pendingApproval);
    on.model.approvals = [{ ...pendingApproval, binding: "b-9", input: { path: "x" } }];
    on.screen.events?.key({ name: "y", text: "y" });
    await on.settled();
    expect(toldOf(on)).toEqual([]);
    on.clock.advance(1_000);
    await on.press("y");
    expect(toldOf(on)[0]?.params).toMatchObject({ binding: "b-9" });
  });

  it("takes a key that is held down, and what was meant for another question, for no answer", async () => {
    const on = await reading(pendingApproval, second);
    const hold = (ms: number) => {
      on.screen.events?.key({ name: "y", text: "y" });
      on.clock.advance(ms);
    };
    await on.press("y");
    expect(toldOf(on).length).toBe(1);
    on.clock.advance(240);
    for (let repeats = 0; repeats < 60; repeats += 1) hold(33);
    expect(toldOf(on).length).toBe(1);
    expect(on.rows().at(-2)).toContain("press it again");
    on.clock.advance(400);
    await on.press("y");
    expect(toldOf(on).map(({ params }) => params)).toMatchObject([{ id: "a25" }, { id: "a26" }]);
  });

  it("goes by hand to another question faster than one comes by itself", async () => {
    const on = await reading(pendingApproval, second);
    await on.press("down");
    on.clock.advance(400);
    await on.press("y");
    expect(toldOf(on).map(({ params }) => params)).toMatchObject([{ id: "a26" }]);
  });

  it("counts from when the terminal has taken the picture, however long that took", async () => {
    const on = stage({ model: waiting(pendingApproval), answers: decided });
    await on.settled();
    const { draw } = on.screen;
    on.screen.draw = (frame) => {
      on.screen.draw = draw;
      on.clock.advance(5_000);
      on.screen.draw(frame);
    };
    on.screen.events?.key({ name: "f4" });
    on.clock.advance(60);
    on.screen.events?.key({ name: "y", text: "y" });
    await on.settled();
    expect(toldOf(on)).toEqual([]);
  });

  it.each([
    { columns: 1, rows: 1 },
    { columns: 200, rows: 8 },
    { columns: 20, rows: 60 },
  ])("takes no answer where nothing can be read, on $columns x $rows", async (size) => {
    const on = stage({ model: waiting(pendingApproval), answers: decided, size });
    await on.press("f4", "tab");
    on.clock.advance(2_000);
    for (const key of ["y", "s", "n", "f", "m"]) await on.press(key);
    expect(toldOf(on)).toEqual([]);
    on.screen.resize({ columns: 80, rows: 24 });
    await on.settled();
    on.clock.advance(1_000);
    await on.press("y");
    expect(toldOf(on).length).toBe(1);
  });

  it("answers nothing that is not in sight", async () => {
    const on = await reading(pendingApproval);
    await on.press("z", "y");
    expect(toldOf(on)).toEqual([]);
    expect(on.rows().at(-2)).toContain("Tab shows the question");
  });

  it("tells the reason of a denial to the agent", async () => {
    const on = await reading(pendingApproval);
    await on.press("f");
    await on.type("use another file");
    await on.press("enter");
    expect(toldOf(on)).toEqual([
      {
        method: "approvals.decide",
        params: { id: "a25", binding: "b-1", decision: "deny", reason: "use another file" },
      },
    ]);
  });

  it("offers every reach with what it covers, an earlier end and the directory", async () => {
    const on = await reading(second);
    await on.press("m");
    expect(on.rows().join("\n")).toContain("also fs.write:notes/**, until the session ends");
    await on.press("down", "down", "down", "down", "down", "enter");
    await on.type("it is my plan");
    await on.press("tab");
    await on.type("soon");
    await on.press("enter");
    expect(on.rows().join("\n")).toContain("ends: write it as 30m, 2h");
    await on.press("C-u");
    await on.type("2h");
    await on.press("enter");
    expect(toldOf(on)[0]?.params).toMatchObject({
      id: "a26",
      decision: "approve",
      scope: "session",
      grants: ["fs.write:notes/**"],
      reason: "it is my plan",
      until: expect.stringMatching(/^2026-01-05T14:00:/) as string,
    });
  });

  it("offers nothing wider where nothing narrow can be said of other calls", async () => {
    const on = await reading({ ...pendingApproval, proposed_grants: [] });
    await on.press("s");
    expect(on.rows().at(-2)).toContain("only be allowed once");
    await on.press("m", "down", "enter");
    expect(on.rows().join("\n")).toContain("not offered");
    expect(toldOf(on)).toEqual([]);
  });

  it("says in plain words that somebody else was first, and shows what waits now", async () => {
    const on = stage({
      model: waiting(pendingApproval, second),
      answers: {
        "approvals.decide": () => {
          throw new AgentError("approval.already_decided", "a25 was denied by cli.");
        },
        "approvals.list": () => [second],
      },
    });
    await on.press("f4");
    on.clock.advance(400);
    await on.press("y");
    expect(on.rows().at(-2)).toContain("a25 was denied by cli.");
    expect(on.rows().join("\n")).toContain("Approval a26");
    expect(on.rows().join("\n")).not.toContain("Approval a25");
  });

  it("answers a question by number or in words, and refuses what is no answer", async () => {
    const on = await reading(question);
    await on.press("y", "enter");
    expect(on.rows().join("\n")).toContain("nothing is typed yet");
    await on.type("2");
    await on.press("enter");
    expect(toldOf(on)).toEqual([
      { method: "approvals.answer", params: { id: "a25", binding: "b-1", value: "the market" } },
    ]);
    const other = await reading(budget);
    await other.press("y");
    await other.type("perhaps");
    await other.press("enter");
    expect(other.rows().join("\n")).toContain("none of the answers it offers");
    await other.press("C-u");
    await other.type("con");
    await other.press("enter");
    expect(toldOf(other)[0]?.params).toMatchObject({ value: "continue" });
  });

  it("opens the field for an answer by Enter too", async () => {
    const on = await reading(question);
    await on.press("enter");
    await on.type("the market");
    await on.press("enter");
    expect(toldOf(on)).toMatchObject([{ params: { value: "the market" } }]);
  });

  it("names every view and the help on 80 columns, whatever waits", async () => {
    const size = { columns: 80, rows: 24 };
    const on = stage({ model: waiting(pendingApproval, second), size });
    await on.press("f4");
    expect(on.rows()[1]).toMatch(/4 Approvals 2 .*8 Audit/);
    expect(on.rows().at(-1)).toContain("? help");
  });

  it("shows the calls of a step whole and lets one word decide them, as they were shown", async () => {
    const on = stage({
      model: waiting(pendingApproval, second),
      answers: {
        ...decided,
        "approvals.step": () => ({
          step_id: "r7.1",
          binding: "b-both",
          too_long: false,
          approvals: [pendingApproval, second],
        }),
        "approvals.decide_step": () => ({
          step_id: "r7.1",
          decided: ["a25", "a26"].map((id) => ({
            id,
            state: "approved",
            scope: "once",
            until: null,
          })),
          failed: [],
        }),
      },
    });
    await on.press("f4");
    on.clock.advance(400);
    on.screen.events?.key({ name: "a", text: "a" });
    await Promise.resolve();
    await on.settled();
    expect(on.rows().join("\n")).toMatch(/2 calls of step r7\.1[\s\S]*buy milk[\s\S]*later/);
    on.clock.advance(400);
    await on.press("y");
    expect(toldOf(on).at(-1)).toEqual({
      method: "approvals.decide_step",
      params: { step: "r7.1", binding: "b-both", decision: "approve" },
    });
    expect(on.rows().at(-2)).toContain("a25, a26 are approved");
    expect(on.rows().join("\n")).toContain("nothing waits for you");
  });

  it("leads to the approval that another view names, whatever is filtered", async () => {
    const on = stage({ model: waiting(pendingApproval, second) });
    await on.press("f4", "/");
    await on.type("todo");
    await on.press("enter");
    on.tui.trace = "t-tg";
    on.tui.go("approvals", "a26");
    await on.settled();
    expect(on.rows().join("\n")).toContain("Approval a26");
  });

  it("shows a key that looks like a key with its value, or like a line of ours, as what it is", async () => {
    const fake = `path             │ harmless.txt${" ".repeat(200)}y allow once`;
    const on = await reading({ ...pendingApproval, input: { [fake]: "x", path: "a.txt" } });
    const rows = on.rows();
    expect(rows.join("\n")).toContain('  "path             │ harmless.txt');
    expect(rows.find((row) => row.includes('y allow once"'))).toMatch(/^│ {2}/);
  });

  it("scrolls a long input and says how much is below", async () => {
    const content = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
    const on = await reading({ ...pendingApproval, input: { path: "a", content } });
    expect(on.rows().join("\n")).toMatch(/\d+ more lines below/);
    for (let page = 0; page < 10; page += 1) await on.press("pagedown");
    expect(on.rows().join("\n")).toContain("line 99");
    expect(on.rows().join("\n")).not.toContain("more lines below");
  });
});

describe("more that waits than is asked for at once", () => {
  const all = Array.from({ length: 350 }, (_, n) => ({ ...pendingApproval, id: `a${n + 100}` }));
  const many = () =>
    Object.assign(modelOfADay(), {
      approvals: all.slice(0, 200),
      status: { ...modelOfADay().status, approvals: 350 },
    });
  const answers: Answers = {
    "approvals.list": ({ limit = 100 }: { limit?: number }) => all.slice(0, limit),
  };

  it("is counted, though it is not here", async () => {
    const on = stage({ model: many, answers });
    await on.press("4");
    expect(on.rows()[0]).toContain("350 wait for you (F4)");
    expect(on.rows()[1]).toContain("4 Approvals 350");
    expect(on.rows()[2]).toContain("what waits for you: the oldest of 350, G: more");
    expect(on.asked.filter(({ method }) => method === "approvals.list")).toEqual([]);
  });

  it("comes as one goes down to the last of them, and no further", async () => {
    const on = stage({ model: many, answers });
    await on.press("4", "G", "G", "G", "G");
    expect(on.rows().join("\n")).toContain("a449");
    expect(on.rows()[2]).toMatch(/─ what waits for you ─.* 350 /);
    expect(on.asked.filter(({ method }) => method === "approvals.list")).toEqual([
      { method: "approvals.list", params: { limit: 400 } },
    ]);
  });
});
