import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { newPlace, type Place, type Running } from "./support/cli-process.ts";
import { run } from "./support/fake-terminal.ts";

/** Every command's JSON against a service that has had a conversation. */

const tidy: (() => void)[] = [];
let place: Place;
let waiting: Running | undefined;

beforeAll(async () => {
  place = newPlace(["home"], (call) => tidy.push(call));
  await place.run("start");
  await json("chat", "-p", "hello");
  await json("chat", "-p", "write hello to a.txt", "--approve", "once", "-s", "work");
  waiting = place.start("chat", "-p", "write more to b.txt", "-s", "waiting");
  const isOpen = async () => (await json("approvals", "list"))[0]?.["data"];
  await vi.waitFor(async () => {
    if (JSON.stringify(await isOpen()) === "[]") throw new Error("no approval is open yet");
  }, 10_000);
}, 60_000);

afterAll(() => {
  waiting?.child.kill();
  for (const call of tidy) call();
});

async function json(...args: readonly string[]): Promise<{ [key: string]: unknown }[]> {
  const { out } = await run([...args, "--home", place.home, "--json"]);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { [key: string]: unknown });
}

async function only(...args: readonly string[]): Promise<{ [key: string]: unknown }> {
  const lines = await json(...args);
  expect(lines.length).toBe(1);
  return lines[0] ?? {};
}

const time = z.iso.datetime();
const usage = z.strictObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
});
const strings = z.array(z.string());
const actor = z.strictObject({
  address: z.string(),
  kind: z.string(),
  state: z.string(),
  status: z.enum(["active", "done", "error", "stopped", "quarantined"]),
  parent: z.string().nullable(),
  since: time,
  tags: strings,
});
const approval = z.object({
  id: z.string().regex(/^a\d+$/),
  kind: z.enum(["call", "question", "outcome"]),
  tool: z.string(),
  summary: z.string(),
  risk: z.enum(["safe", "guarded", "unsafe"]),
  state: z.string(),
  input: z.record(z.string(), z.json()),
  run_id: z.string(),
  session_id: z.string(),
  proposed_grants: strings,
  created_at: time,
  expires_at: time,
  decided_at: time.nullable(),
});
const aRun = z.object({
  run_id: z.string().regex(/^r\d+$/),
  session_id: z.string(),
  agent_id: z.literal("main"),
  task_id: z.string(),
  trace_id: z.string(),
  state: z.enum(["done", "awaiting_approval"]),
  started_at: time,
  ended_at: time.nullable(),
  usage,
  reply: z.string().nullable(),
  error: z.null(),
});
const session = z.object({
  session_id: z.string(),
  key: z.string(),
  state: z.enum(["idle", "running"]),
  agent_id: z.string(),
  created_at: time,
  last_at: time,
  closed_at: time.nullable(),
});
const task = z.object({
  task_id: z.string(),
  text: z.string(),
  state: z.enum(["open", "done"]),
  boundary: strings,
  created_at: time,
  ended_at: time.nullable(),
});
const auditRow = z.object({
  n: z.int(),
  at: time,
  kind: z.enum(["decision", "invocation"]),
  trace_id: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  step_id: z.string(),
  session: z.string(),
  agent: z.string(),
  tool: z.string(),
  input: z.json(),
  input_hash: z.string(),
  requested_capabilities: strings,
  granted_capabilities: strings,
  approval_result: z.string().nullable(),
  decided_by: z.string().nullable(),
  start_at: time,
  end_at: time,
  status: z.string(),
  prev_hash: z.string(),
  hash: z.string(),
});
const status = z.strictObject({
  pid: z.int(),
  state: z.literal("running"),
  version: z.string(),
  home: z.string(),
  started_at: time,
  degraded: z.null(),
  agents: strings,
  model: z.literal("offline/rules"),
  sessions: z.literal(3),
  runs: z.literal(1),
  approvals: z.literal(1),
  quarantined: z.literal(0),
  dead_letters: z.literal(0),
  queued: z.int(),
});
const startedService = z.strictObject({
  pid: z.int(),
  already_running: z.literal(true),
  version: z.string(),
  home: z.string(),
  socket: z.string(),
  log: z.string(),
  model: z.string(),
});
const chart = z.strictObject({
  name: z.string(),
  version: z.string(),
  states: strings,
  events: strings,
});

describe("--json of", () => {
  it.each<[string, z.ZodType]>([
    ["version", z.strictObject({ version: z.string(), node: z.string() })],
    ["init", z.strictObject({ home: z.string(), written: strings, kept: strings })],
    ["start", startedService],
    ["status", status],
    ["actors tree", z.array(actor).min(4)],
    ["actors tree session/ --all", z.array(actor).min(4)],
    [
      "actors get system",
      actor.extend({
        version: z.string(),
        seq: z.int(),
        context: z.record(z.string(), z.json()),
        next_events: z.array(
          z.object({ type: z.string(), pokeable: z.boolean(), description: z.string() }),
        ),
        error: z.null(),
      }),
    ],
    ["approvals list", z.array(approval).length(1)],
    ["approvals list --all", z.array(approval).length(2)],
    ["runs list", z.array(aRun).length(3)],
    ["sessions list", z.array(session).length(3)],
    [
      "sessions show local:local:work:owner:main",
      session.extend({ messages: z.array(z.object({ role: z.string(), at: time })).min(4) }),
    ],
    ["task list", z.array(task).length(3)],
    ["machines list", z.array(chart).min(5)],
    [
      "machines show run",
      z.strictObject({ name: z.literal("run"), format: z.literal("mermaid"), chart: z.string() }),
    ],
    [
      "machines show run --format json",
      z.strictObject({
        name: z.literal("run"),
        format: z.literal("json"),
        chart: z.object({ states: z.json() }),
      }),
    ],
    ["audit query", z.array(auditRow).length(2)],
    ["audit query --tool nothing", z.array(auditRow).length(0)],
    ["audit verify", z.strictObject({ ok: z.literal(true), rows: z.literal(2), fault: z.null() })],
    [
      "config validate",
      z.strictObject({
        home: z.string(),
        files: strings.length(6),
        agents: strings,
        warnings: z.array(z.never()),
      }),
    ],
    ["config schema", z.object({ main: z.object({ type: z.literal("object") }) })],
    ["config schema --file schedules", z.object({ type: z.literal("array") })],
    ["config show", z.object({ home: z.string(), agents: z.array(z.object({ id: z.string() })) })],
  ])("%s has its shape, and its text holds no stray character", async (command, shape) => {
    const args = command.split(" ");
    const told = await only(...args);
    expect(z.strictObject({ ok: z.literal(true), data: shape }).parse(told)).toBeDefined();
    const { code, out, err } = await run([...args, "--home", place.home]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(out.length).toBeGreaterThan(5);
  });

  it("runs show, task show and approvals show has the whole row", async () => {
    const [open] = z.array(approval).parse((await only("approvals", "list")).data);
    const id = open?.run_id ?? "";
    const shown = aRun.extend({
      steps: z.array(z.object({ started_at: time })),
      audit: z.array(auditRow),
    });
    expect(shown.parse((await only("runs", "show", id)).data).state).toBe("awaiting_approval");
    expect(approval.parse((await only("approvals", "show", open?.id ?? "")).data)).toEqual(open);
    const ofTask = task.extend({ runs: z.array(aRun).length(1) });
    expect(ofTask.parse((await only("task", "show", `t${id.slice(1)}`)).data).text).toBe(
      "write more to b.txt",
    );
  });

  it("what is not there exits with 6", async () => {
    for (const args of [
      ["runs", "show", "r0"],
      ["runs", "cancel", "r0"],
      ["sessions", "show", "s0"],
      ["sessions", "reset", "s0"],
      ["task", "show", "t0"],
      ["task", "cancel", "t0"],
      ["approvals", "show", "a0"],
      ["approvals", "allow", "a0"],
      ["approvals", "answer", "a0", "x"],
      ["actors", "get", "nobody"],
      ["actors", "send", "nobody", "run.cancel"],
    ]) {
      const { code, out, err } = await run([...args, "--home", place.home, "--json"]);
      expect({ args, code, err }).toEqual({ args, code: 6, err: "" });
      expect(JSON.parse(out)).toMatchObject({
        ok: false,
        error: { hint: expect.stringContaining("statehive") },
      });
    }
  });
});

describe("a poke", () => {
  it("is refused with its reason when a person may not send it", async () => {
    const { code, out } = await run([
      "actors",
      "send",
      "system",
      "system.stop",
      "--home",
      place.home,
      "--json",
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "event.not_pokeable" } });
  });

  it("is refused with its reason when the actor does not accept it", async () => {
    const rows = z.array(actor).parse((await only("actors", "tree", "--all")).data);
    const ended = rows.find(({ kind, state }) => kind === "run" && state === "done")?.address ?? "";
    const { code, out } = await run([
      "actors",
      "send",
      ended,
      "run.cancel",
      "--home",
      place.home,
      "--json",
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false });
  });
});

it("an approval that is allowed elsewhere lets the waiting chat end", async () => {
  const [open] = z.array(approval).parse((await only("approvals", "list")).data);
  const { data } = await only("approvals", "allow", open?.id ?? "", "--scope", "session");
  expect(data).toEqual({ id: open?.id, state: "approved" });
  const { code, out, err } = (await waiting?.ended) ?? {};
  expect(code).toBe(0);
  expect(out).toContain("b.txt");
  expect(err).toContain(`\`statehive approvals allow ${open?.id}\``);
  const again = await run(["approvals", "deny", open?.id ?? "", "--home", place.home, "--json"]);
  expect(JSON.parse(again.out)).toMatchObject({ error: { code: "approval.already_decided" } });
});
