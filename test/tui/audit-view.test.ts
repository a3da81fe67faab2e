import { describe, expect, it } from "vitest";
import type { ParamsOf, ShownAudit } from "../../src/schema/socket/protocol.ts";
import { auditRow } from "./support/audit-of-a-day.ts";
import { expectGolden } from "./support/golden.ts";
import { type Answers, stage } from "./support/stage.ts";

const poke = auditRow(52, {
  kind: "poke",
  status: "accepted",
  decided_by: "tui",
  tool: "",
  input: { event: "run.cancel", payload: {}, address: "session/local:local:cli:owner:main/run/r7" },
  approval_required: 0,
  approval_result: null,
  reason: null,
});
const ran = auditRow(51, {
  kind: "invocation",
  status: "done",
  input: { path: "a\u202eb", content: "x".repeat(300) },
  decided_by: "main",
});
const decided = auditRow(50);

const fixed = (...rows: ShownAudit[]): Answers => ({ "audit.query": () => rows });

/** As the service answers: the newest that match, before a row. */
const pages =
  (rows: readonly ShownAudit[]) =>
  ({ before_n = Infinity, limit = 100, tool, status, trace }: ParamsOf<"audit.query">) =>
    rows
      .filter(({ n }) => n < before_n)
      .filter((row) => tool === undefined || row.tool === tool)
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => trace === undefined || row.trace_id === trace)
      .slice(0, limit);

describe("the view of the audit", () => {
  it("shows who decided, ran and sent what, and the chosen row whole", async () => {
    await expectGolden("audit", { answers: fixed(poke, ran, decided) }, (on) =>
      on.press("8", "down", "down"),
    );
  });

  const many = Array.from({ length: 450 }, (_, at) =>
    auditRow(450 - at, at === 449 ? { tool: "shell_exec", trace_id: "t-old" } : {}),
  );

  it("pages back to the first row, and no further", async () => {
    const on = stage({ answers: { "audit.query": pages(many) } });
    await on.press("8", "G", "G", "G", "G", "G");
    expect(on.rows().join("\n")).toMatch(/│ +1 11:59:01/);
    expect(on.rows().join("\n")).toContain("─ audit ─");
    expect(on.asked.filter(({ method }) => method === "audit.query")).toHaveLength(3);
  });

  it("has the service look for fields, so that old rows are found", async () => {
    const on = stage({ answers: { "audit.query": pages(many) } });
    await on.press("8", "/");
    await on.type("tool:shell_exec status:denied milk");
    await on.press("enter");
    on.clock.advance(2_000);
    await on.settled();
    expect(on.asked.at(-1)).toEqual({
      method: "audit.query",
      params: { tool: "shell_exec", status: "denied", limit: 200 },
    });
    expect(on.rows().join("\n")).toMatch(/│ +1 11:59:01/);
    expect(on.rows().join("\n")).toContain("1 of 2");
  });

  it("shows the audit of one trace, however old", async () => {
    const on = stage({ answers: { "audit.query": pages(many) } });
    await on.press("8");
    on.tui.trace = "t-old";
    on.tui.changed();
    await on.settled();
    on.clock.advance(2_000);
    await on.settled();
    expect(on.rows().join("\n")).toMatch(/│ +1 11:59:01/);
    expect(on.rows().join("\n")).not.toContain("450");
  });

  it("verifies the chain, and names the row that breaks it", async () => {
    const whole = stage({
      answers: { ...fixed(poke), "audit.verify": () => ({ ok: true, rows: 52, fault: null }) },
    });
    await whole.press("8", "v");
    expect(whole.rows().at(-2)).toContain("the chain of 52 rows is whole");
    const fault = { n: 7, message: "its hash does not fit" };
    const broken = stage({
      answers: { ...fixed(poke), "audit.verify": () => ({ ok: false, rows: 6, fault }) },
    });
    await broken.press("8", "v");
    expect(broken.rows().at(-2)).toContain("broken at row 7: its hash does not fit");
  });

  it("says how the same rows are exported, with quotes where a shell needs them", async () => {
    const on = stage({ answers: fixed(poke, ran, decided) });
    await on.press("8", "/");
    await on.type("tool:a'b;rm");
    await on.press("enter", "E");
    expect(on.rows().join("\n")).toContain(
      String.raw`statehive audit export --format csv --tool 'a'\''b;rm' > audit.csv`,
    );
  });

  it("has new rows soon after something happened", async () => {
    let rows = [decided];
    const on = stage({ answers: { "audit.query": () => rows } });
    await on.press("8");
    rows = [poke, decided];
    const { steps } = on.model;
    steps.add(steps.rows.slice(-1));
    on.tui.changed();
    await on.settled();
    on.clock.advance(3_000);
    await on.settled();
    expect(on.rows().join("\n")).toMatch(/52 11:59:52 poke +accepted/);
  });
});
