import { expect, it } from "vitest";
import type { ShownAudit } from "../../src/schema/socket/protocol.ts";
import { fakeService } from "./support/fake-service.ts";
import { run } from "./support/fake-terminal.ts";

const row: ShownAudit = {
  n: 1,
  at: "2026-03-01T12:00:00.000Z",
  kind: "invocation",
  trace_id: "t1",
  task_id: "t4",
  run_id: "r4",
  step_id: "r4/1",
  session: "s3",
  agent: "main",
  tool_call_id: "c5",
  tool: "=cmd|' /C calc'!A0",
  input: { path: 'a "b", c\u001b[2J' },
  input_hash: "h",
  requested_capabilities: ["fs.write:a"],
  granted_capabilities: [],
  approval_required: 1,
  approval_result: null,
  decided_by: null,
  start_at: "2026-03-01T12:00:00.000Z",
  end_at: "2026-03-01T12:00:01.000Z",
  status: "done",
  reason: null,
  error: null,
  prev_hash: "p",
  hash: "q",
};

const service = () => fakeService({ "audit.export": { rows: [row], next: null } });

it("prints each row as a line of JSON, unchanged", async () => {
  const { home, requests } = await service();
  const { code, out } = await run(["audit", "export", "--tool", "x", "--home", home]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(row);
  expect(requests[0]?.params).toEqual({ tool: "x", after_n: 0 });
});

it("prints CSV that a spreadsheet reads as text, without control characters", async () => {
  const { home } = await service();
  const { out } = await run(["audit", "export", "--format", "csv", "--home", home]);
  const [titles, line, ...rest] = out.split("\n");
  expect(titles).toMatch(/^n,at,kind,trace_id,task_id,run_id,.*,prev_hash,hash$/);
  expect(line).toBe(
    `1,2026-03-01T12:00:00.000Z,invocation,t1,t4,r4,r4/1,s3,main,c5,'=cmd|' /C calc'!A0,"{""path"":""a \\""b\\"", c\\u001b[2J""}",h,"[""fs.write:a""]",[],1,,,2026-03-01T12:00:00.000Z,2026-03-01T12:00:01.000Z,done,,,p,q`,
  );
  expect(rest).toEqual([""]);
});

it("does not print CSV where JSON was asked for", async () => {
  const { code } = await run(["audit", "export", "--format", "csv", "--json"]);
  expect(code).toBe(2);
});

it("is shown with the word that a call that was done told an error", async () => {
  const { home } = await fakeService({
    "audit.query": [{ ...row, error: "file.not_found: no" }, row],
  });
  const { out } = await run(["audit", "query", "--home", home]);
  expect(out.split("\n").map((line) => line.match(/done(?: \(error\))?/)?.[0])).toEqual([
    undefined,
    "done (error)",
    "done",
    undefined,
  ]);
});

it("says of an event that was sent by hand which one went where", async () => {
  const input = { event: "run.cancel", payload: {}, address: "session/k/run/r4" };
  const poke = { ...row, kind: "poke", status: "refused", decided_by: "tui", input } as const;
  const { home } = await fakeService({ "audit.query": [poke] });
  const { out } = await run(["audit", "query", "--home", home]);
  expect(out).toMatch(/poke +refused .* tui +run\.cancel to session\/k\/run\/r4 +-\n/);
});
