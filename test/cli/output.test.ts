import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { approvalText } from "../../src/cli/chat/approval-text.ts";
import { statusText } from "../../src/cli/commands/status.ts";
import { stepLine } from "../../src/cli/commands/actors-watch.ts";
import { actorTree } from "../../src/cli/output/actor-tree.ts";
import { displayWidth, fit } from "../../src/text/text-width.ts";
import { diffText, logText, restoredText } from "../../src/cli/output/memory-text.ts";
import { plainStyle, styleFor } from "../../src/cli/output/style.ts";
import { table } from "../../src/cli/output/table.ts";
import { age, until } from "../../src/text/times.ts";
import type { ActorStateRow } from "../../src/schema/shown/actor-view.ts";
import { fakeTerminal, fixedNow } from "./support/fake-terminal.ts";
import { sampleApproval, sampleBudget, sampleQuestion, sampleStatus } from "./support/samples.ts";

const looks = { style: plainStyle, now: fixedNow, width: undefined };

type Cells = { readonly id: string; readonly text: string };

describe("a table", () => {
  const columns = [
    { title: "ID", cell: ({ id }: Cells) => id },
    { title: "TEXT", cell: ({ text }: Cells) => text },
  ];

  it("aligns its cells, wide characters too, and cleans them", () => {
    const rows = [
      { id: "r1", text: "one\nline" },
      { id: "日本", text: "\u001b[2Jgone" },
      { id: "r1000", text: "" },
    ];
    expect(table(rows, columns, { empty: "none" })).toBe(
      ["ID     TEXT", "r1     one\\nline", "日本   \\x1b[2Jgone", "r1000  -"].join("\n"),
    );
  });

  it("never is wider than its terminal", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 5, max: 40 }), (id, cell, width) => {
        const lines = table([{ id, text: cell }], columns, { empty: "none", width }).split("\n");
        expect(lines.length).toBe(2);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("says so when it is empty", () => {
    expect(table([], columns, { empty: "No runs yet." })).toBe("No runs yet.");
  });
});

it("cuts at whole characters and shows that something is missing", () => {
  expect(fit("hello", 5)).toBe("hello");
  expect(fit("hello!", 5)).toBe("hell…");
  expect(fit("日本語", 5)).toBe("日本…");
});

it("tells ages and deadlines in one unit; a deadline never ends sooner than told", () => {
  expect(age("2026-03-01T11:59:18.000Z", fixedNow)).toBe("42s");
  expect(age("2026-03-01T10:30:00.000Z", fixedNow)).toBe("1h");
  expect(age(null, fixedNow)).toBe("-");
  expect(until("2026-03-02T11:59:30.000Z", fixedNow)).toBe("1d");
  expect(until("2026-03-01T11:00:00.000Z", fixedNow)).toBe("0s");
});

describe("colour", () => {
  const on = fakeTerminal({ isTTY: true }).stdout;
  const isColoured = (env: { [name: string]: string }, output = on, color = true) =>
    styleFor({ output, env, color }).red("x") !== "x";

  it("is for terminals that can show it, and can be refused", () => {
    expect(isColoured({ TERM: "xterm" })).toBe(true);
    expect(isColoured({ TERM: "xterm", NO_COLOR: "" })).toBe(true);
    expect(isColoured({ TERM: "xterm", NO_COLOR: "1" })).toBe(false);
    expect(isColoured({ TERM: "dumb" })).toBe(false);
    expect(isColoured({ TERM: "xterm" }, on, false)).toBe(false);
    expect(isColoured({ TERM: "xterm" }, fakeTerminal().stdout)).toBe(false);
  });
});

describe("an approval", () => {
  it("shows everything of the call, long text behind a bar of its own", () => {
    expect(approvalText(sampleApproval, looks)).toBe(`Approval a7
  tool             file_write (guarded)
  does             Write 12 bytes to notes/a.txt
  asked because    Guarded; no grant covers fs.write:todo.txt; asks.
  needs            fs.write:notes/a.txt
  agent, run       main, r4, step r4.1
  for the session  would also allow fs.write:notes/a.txt
  ends in          1d, then counts as denied
  input
    path: notes/a.txt
    content:
      | first
      | second`);
  });

  it("says of a budget what is used, and what the answers mean", () => {
    expect(approvalText(sampleBudget, looks)).toBe(`A budget has no room left a7
  | The run has used 0 of 1 000 tokens; the next model call may need up to 4 200 more.
  asked because  \`budget.run\` is 1 000 tokens.
  agent, run     main, r4, step r4.1
  ends in        1d, then counts as stop
  1. continue
  2. stop`);
  });

  it("says what a grant of a command would be bound to", () => {
    const terms = "exactly this command, run in the workspace";
    const command = { ...sampleApproval, proposed_grants: ["shell.exec:ls"], terms };
    expect(approvalText(command, looks)).toContain(
      "  for the session  would also allow shell.exec:ls: exactly this command, run in the workspace\n",
    );
  });

  it("cannot be faked or hidden by what the model wrote", () => {
    const input = {
      "content": "x\n[o]nce: \u001b[8mhidden\u001b[0m\r\u202e",
      "a\u001b]0;t\u0007": 1,
    };
    const text = approvalText({ ...sampleApproval, summary: "a\nb", input }, looks);
    expect(text).toContain("does             a\\nb\n");
    expect(text).toContain("      | x\n      | [o]nce: \\x1b[8mhidden\\x1b[0m\\r\\u{202e}\n");
    expect(text).toContain("    a\\x1b]0;t\\x07: 1");
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it("A11: a fake that fills a line never begins the next one: it goes on behind a bar", () => {
    const fake = `${" ".repeat(60)}· a7 is approved ✅ [o]nce / [s]ession: o`;
    const faked = {
      ...sampleApproval,
      summary: `Write 2 bytes to ${fake}`,
      reason: fake,
      requested: [fake],
      terms: fake,
      input: { path: fake, content: `x\n${fake}\nApproval a8` },
    };
    const titles = ["Approval a7", "  input", "    content:"];
    for (const width of [20, 40, 72, 200]) {
      for (const line of approvalText(faked, { ...looks, width }).split("\n")) {
        expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 40));
        const isOurs = titles.includes(line) || /^ {2}(?: {2}path:|[a-z, ]+ {2})/.test(line);
        expect([line, isOurs || /^ {6,}\| /.test(line)]).toEqual([line, true]);
      }
    }
    const question = { ...sampleQuestion, summary: fake, options: [fake, "no"] };
    for (const line of approvalText(question, { ...looks, width: 40 })
      .split("\n")
      .slice(1))
      expect(line).toMatch(/^ {2}(?:\| |[12]\. | \| )/);
  });

  it("says when nothing can be granted for the session", () => {
    expect(approvalText({ ...sampleApproval, proposed_grants: [] }, looks)).toContain(
      "for the session  nothing more: this call can only be allowed once",
    );
  });

  it("says who decided, when, and how far it reaches, in place of what could be decided", () => {
    const decided = {
      ...sampleApproval,
      state: "denied" as const,
      decided_by: "cli",
      decided_at: "2026-03-01T12:00:00.000Z",
      scope: "run" as const,
      until: "2026-03-01T14:00:00.000Z",
      answer: "not now",
    };
    const text = approvalText(decided, looks);
    expect(text).toContain("Approval a7 (denied by cli)\n");
    expect(text).toContain(
      "2026-03-01 12:00:00 UTC: denied for the run, until 2026-03-01 14:00:00 UTC\n",
    );
    expect(text).toMatch(/\n {2}their reason\n {4}\| not now$/);
    expect(text).not.toContain("ends in");
    expect(text).not.toContain("for the session");
  });

  it("gives no person the word that counts after the deadline", () => {
    const expired = { state: "expired" as const, decided_by: "deadline", answer: "deny" };
    expect(approvalText({ ...sampleApproval, ...expired }, looks)).toMatch(
      /\n {2}answer\n {4}\| deny$/,
    );
  });

  it("shows what was answered", () => {
    const answered = {
      ...sampleQuestion,
      state: "answered" as const,
      decided_by: "cli",
      answer: "blue",
    };
    expect(approvalText(answered, looks)).toBe(
      "Question a9 (answered by cli)\n  | Which colour?\n  1. red\n  2. blue\n  answer\n    | blue",
    );
  });

  it("of the kind question is the question and its numbered options", () => {
    expect(approvalText(sampleQuestion, looks)).toBe(
      "Question a9\n  | Which colour?\n  1. red\n  2. blue",
    );
  });
});

const row = (address: string, more: Partial<ActorStateRow> = {}): ActorStateRow => ({
  address,
  kind: "run",
  state: "idle",
  status: "active",
  parent: null,
  since: "2026-03-01T11:59:00.000Z",
  tags: [],
  trace: "t1",
  ...more,
});

describe("the actors", () => {
  it("stand below their parents", () => {
    const rows = [
      row("session/k", { state: "running" }),
      row("session/k/run/r4", {
        parent: "session/k",
        state: "awaiting_approval",
        tags: ["waiting"],
      }),
      row("session/k/run/r4/call/c1", { parent: "session/k/run/r4", status: "quarantined" }),
      row("session/gone/run/r2", { parent: "session/gone", state: "done", status: "done" }),
      row("system", { state: "running", tags: ["terminal"] }),
    ];
    expect(actorTree(rows, looks)).toBe(`session/k            running            1m
  run/r4             awaiting_approval  1m  [waiting]
    call/c1          idle               1m  quarantined
session/gone/run/r2  done               1m
system               running            1m`);
    expect(actorTree([], looks)).toBe("No actor lives there.");
  });

  it("step by line, refusals with their reason", () => {
    const step = {
      seq: 7,
      at: "2026-03-01T11:59:18.042Z",
      address: "system",
      event: "system.start",
      outcome: "handled",
      reason: null,
      state_before: "booting",
      state_after: "running",
      trace: "t1",
    };
    expect(stepLine(step, looks)).toBe("11:59:18.042  system.start  booting -> running  system");
    const refused = { ...step, outcome: "rejected", reason: "not now", state_after: "booting" };
    expect(stepLine(refused, looks)).toBe(
      "11:59:18.042  system.start  booting  rejected: not now  system",
    );
  });
});

it("says in one line how much is remembered, and how far it is found", () => {
  const line = (memory: (typeof sampleStatus)["memory"]) =>
    /memory +(.*)/.exec(statusText({ ...sampleStatus, memory }, looks))?.[1];
  const some = { files: 1, chunks: 40, embedded: 12, embedder: "builtin", trouble: null };
  expect(line(some)).toBe("1 file, 40 chunks, 12 of them with vectors so far (builtin)");
  expect(line({ ...some, trouble: "ECONNREFUSED\u001b[31m" })).toBe(
    "1 file, 40 chunks, 12 of them with vectors so far (builtin): ECONNREFUSED\\x1b[31m",
  );
  expect(line({ ...some, embedder: null })).toBe("1 file, 40 chunks, found by words alone");
  expect(line({ ...some, embedder: null, chunks: 0, files: 0 })).toBe("0 files, 0 chunks");
  expect(line(null)).toBe("its index cannot be read: the service makes it anew");
});

it("shows the service on one screen, trouble first", () => {
  const degraded = {
    code: "store.unavailable" as const,
    message: "the disk is full",
    retryable: true,
  };
  expect(statusText({ ...sampleStatus, degraded }, looks))
    .toBe(`statehive 0.1.0 is running (pid 4711, up 3h)
  degraded: the disk is full
  home          /home/u/.statehive
  agents        main
  model         offline/rules, the built-in offline model
  sessions      2
  runs          1
  approvals     1 (\`statehive approvals list\`)
  today (UTC)   0 in, 0 out, $0
  memory        2 files, 12 chunks, all with vectors (builtin)
  queued        0
  quarantined   0
  dead letters  0`);
});

it("tells what is due next at set times, and what failed or was set aside", () => {
  const schedules = {
    count: 3,
    next: { id: "report", at: "2026-03-01T15:30:00.000Z" },
    in_need: [
      { id: "backup", state: "waiting", failures: 1, detail: "the run\u001b[31m failed" },
      { id: "digest", state: "paused", failures: 4, detail: null },
      { id: "tidy", state: "set_aside", failures: 0, detail: "its stored snapshot is damaged" },
    ],
  };
  const rows = statusText({ ...sampleStatus, schedules }, looks).split("\n");
  expect(rows.filter((line) => line.startsWith("  schedule"))).toEqual([
    "  schedules     3, next report in 4h",
    "  schedule      backup failed last time: the run\\x1b[31m failed (`statehive schedule show backup`)",
    "  schedule      digest failed 4 times in a row (`statehive schedule show digest`)",
    "  schedule      tidy was set aside after a fault: its stored snapshot is damaged (`statehive schedule show tidy`)",
  ]);
  const idle = { count: 1, next: null, in_need: [] };
  expect(statusText({ ...sampleStatus, schedules: idle }, looks)).toContain(
    "  schedules     1, none is due",
  );
});

it("a log of memory without a change says whether it is one file's", () => {
  expect(logText([], looks)).toBe("Nothing has changed yet.");
  expect(logText([], { ...looks, path: "main/a\u001b[2J.md" })).toBe(
    "No change of main/a\\x1b[2J.md is known.",
  );
});

describe("a change of memory", () => {
  const change = {
    id: "m1",
    at: new Date(looks.now - 60_000).toISOString(),
    path: "main/local/notes.md",
    partition: "main/local",
    kind: "edit",
    by: "editor",
    reason: "",
    added: 6,
    removed: 0,
    is_new: true,
    is_gone: false,
    trace_id: "t1",
    session_id: null,
    over: [] as string[],
  } as const;
  const gone = { ...change, id: "m2", added: 0, removed: 6, is_new: false, is_gone: true };
  const back = { ...change, id: "m3", kind: "restore", by: "cli", reason: "m2" } as const;

  it("says in the log which made a file, which took it away, and which was taken back", () => {
    expect(logText([back, gone, change], looks).split("\n")).toEqual([
      "ID  AGE  KIND        LINES          BY      FILE",
      "m3  1m   restore m2  new file, +6   cli     main/local/notes.md",
      "m2  1m   edit        file gone, -6  editor  main/local/notes.md",
      "m1  1m   edit        new file, +6   editor  main/local/notes.md",
    ]);
    expect(diffText({ ...gone, diff: null }, looks).split("\n")[1]).toBe(
      "  file  main/local/notes.md, which it took away",
    );
  });

  it("by an editor that may not have known what an agent had just written says so, and how to take it back", () => {
    const over = { ...change, id: "m4", added: 1, removed: 2, is_new: false, over: ["m3", "m1"] };
    expect(logText([over], looks).split("\n")[1]).toBe(
      "m4  1m   edit over m3, m1  +1 -2  editor  main/local/notes.md",
    );
    expect(diffText({ ...over, diff: null }, looks).split("\n")[4]).toBe(
      "  over  it left nothing of m3, m1; `statehive memory restore m4` takes this one back",
    );
  });

  it("that is taken back says what became of the file", () => {
    const first = (changed: Parameters<typeof restoredText>[0]) =>
      restoredText(changed, "m1").split("\n")[0];
    const restored = { ...back, is_new: false };
    expect(first([{ ...gone, kind: "restore" }])).toBe(
      "main/local/notes.md: the file is gone, as there was none before (6 lines)",
    );
    expect(first([back])).toBe("main/local/notes.md: the file is there again, with 6 lines");
    expect(first([{ ...restored, added: 1, removed: 2 }])).toBe(
      "main/local/notes.md: 1 line came back, 2 lines went",
    );
    expect(first([{ ...restored, kind: "edit", added: 1, removed: 0 }, back])).toBe(
      "main/local/notes.md: what was saved by hand is kept, +1 -0",
    );
    expect(restoredText([], "m1")).toBe(
      "Nothing had to be changed: what m1 did is taken back already.",
    );
  });
});
