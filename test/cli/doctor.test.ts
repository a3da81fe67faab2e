import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { LibsqlConnection } from "../../src/adapters/libsql/libsql-connection.ts";
import { acquireOwnerLock } from "../../src/adapters/engine/libsql-lock.ts";
import { openLibsqlStore } from "../../src/adapters/engine/open-libsql.ts";
import { inspectDatabase } from "../../src/app/database/inspect-database.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { databaseFindings } from "../../src/cli/doctor/database-checks.ts";
import {
  clockFinding,
  diskFinding,
  nodeFinding,
  platformFinding,
} from "../../src/cli/doctor/machine-checks.ts";
import { scheduleFindings } from "../../src/cli/doctor/schedule-checks.ts";
import { watchFinding } from "../../src/cli/doctor/memory-checks.ts";
import { lockHolder } from "../../src/cli/doctor/lock-holder.ts";
import { unitMark } from "../../src/cli/systemd/unit-text.ts";
import { chained } from "../../src/policy/audit-chain.ts";
import { type AuditRow, auditHeadTable, auditTable } from "../../src/schema/rows/audit-rows.ts";
import { homeWith, temporaryDirectory } from "../config/homes.ts";
import { apiError, says, startAnthropicServer } from "../support/anthropic-server.ts";
import { fakeService } from "./support/fake-service.ts";
import { fixedNow, run } from "./support/fake-terminal.ts";
import { sampleSchedule, sampleStatus } from "./support/samples.ts";

/** Each test breaks one thing of a home that is well. */

const report = z.strictObject({
  ok: z.literal(true),
  data: z.strictObject({
    healthy: z.boolean(),
    findings: z.array(
      z.strictObject({
        area: z.string(),
        check: z.string(),
        state: z.enum(["ok", "warn", "fail"]),
        found: z.string(),
        fix: z.string().nullable(),
      }),
    ),
    mended: z.array(z.string()),
  }),
});

let home: string;

beforeEach(() => {
  home = homeWith({
    "config/agents.d/main.yaml": "id: main\ntools: { allow: [file_read] }\n",
  });
  for (const folder of ["workspace", "sessions", "data", "run", "logs"])
    mkdirSync(join(home, folder), 0o700);
  chmodSync(home, 0o700);
});

type Asked = { readonly env?: { readonly [name: string]: string }; readonly at?: string };

async function examined(args: readonly string[] = [], { env = {}, at = home }: Asked = {}) {
  const command = ["doctor", "--timeout", "300", ...args, "--home", at, "--json"];
  const { code, out, err } = await run(command, { env, home: join(home, "..", "nobody") });
  expect(err).toBe("");
  const { data } = report.parse(JSON.parse(out));
  const wrong = data.findings.filter(({ state, check }) => state !== "ok" && check !== "node");
  return {
    code,
    ...data,
    wrong: wrong.map(({ state, check, found, fix }) => `${state} ${check}: ${found} -> ${fix}`),
    line: (check: string) => data.findings.find((each) => each.check === check)?.found,
  };
}

describe("doctor finds", () => {
  it("nothing wrong with a home that is well, and changes nothing", async () => {
    const { code, healthy, wrong, line } = await examined();
    expect(wrong).toEqual([]);
    expect([code, healthy]).toEqual([0, true]);
    expect(line("service")).toBe(`does not run; \`statehive start --home ${home}\` starts it`);
    expect(line("database")).toContain("the first start makes it");
    expect(existsSync(join(home, "data/statehive.db"))).toBe(false);
    expect(existsSync(join(home, "run/owner.lock"))).toBe(false);
  });

  it("that there is no home, and looks at the rest all the same", async () => {
    const { code, wrong, findings } = await examined([], { at: "/nowhere/home" });
    expect(code).toBe(1);
    expect(wrong).toEqual([
      "fail home: there is none at /nowhere/home -> `statehive init --home /nowhere/home` makes one",
    ]);
    expect(findings.map(({ area }) => area)).toContain("terminal");
  });

  it("a Node that is too old, and one without fixes", () => {
    expect(nodeFinding("20.18.9", fixedNow)).toMatchObject({ state: "fail" });
    expect(nodeFinding("18.20.0", fixedNow)).toMatchObject({ state: "fail" });
    expect(nodeFinding("20.19.0", Date.parse("2026-04-01"))).toMatchObject({ state: "ok" });
    expect(nodeFinding("20.20.2", Date.parse("2026-05-01"))).toMatchObject({
      state: "warn",
      found: "20.20.2: Node 20 has had no security fixes since 2026-04-30",
    });
    expect(nodeFinding("99.0.0", fixedNow)).toMatchObject({ state: "ok" });
  });

  it("another system, a clock that was never set, and a full disk", () => {
    expect(platformFinding("darwin")).toMatchObject({ state: "warn" });
    expect(clockFinding(0)).toMatchObject({
      state: "fail",
      found: "it is set to 1970-01-01T00:00:00.000Z",
    });
    expect(diskFinding(49 * 1024 ** 2, "/")).toMatchObject({ state: "fail" });
    expect(diskFinding(500 * 1024 ** 2, "/")).toMatchObject({ state: "warn" });
  });

  it("directories that are missing, are files, or are open to others", async () => {
    rmSync(join(home, "logs"), { recursive: true });
    rmSync(join(home, "workspace"), { recursive: true });
    writeFileSync(join(home, "workspace"), "");
    chmodSync(join(home, "data"), 0o755);
    chmodSync(join(home, "run"), 0o777);
    const { code, wrong } = await examined();
    expect(code).toBe(1);
    expect(wrong.slice(0, 4)).toEqual([
      expect.stringMatching(/^fail .*\/workspace: is not a directory -> move /),
      expect.stringMatching(/^warn .*\/data: has mode 755: other users can read it -> chmod 700 /),
      expect.stringMatching(/^fail .*\/run: has mode 777: other users can write it -> chmod 700 /),
      expect.stringMatching(/^warn .*\/logs: is missing -> `statehive init/),
    ]);
  });

  it("keys in a file that others can read, which --fix closes", async () => {
    const file = join(home, "service.env");
    writeFileSync(file, "ANTHROPIC_API_KEY=x\n");
    chmodSync(file, 0o644);
    chmodSync(join(home, "data"), 0o750);
    expect((await examined()).wrong.length).toBe(2);
    const { code, wrong, mended } = await examined(["--fix"]);
    expect([code, wrong]).toEqual([0, []]);
    expect(mended).toEqual([join(home, "data"), file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("every fault of the configuration, for which alone it exits with 78", async () => {
    writeFileSync(join(home, "config/main.yaml"), "sesions: {}\nruns: { max_concurrent: 0 }\n");
    const { code, wrong } = await examined();
    expect(code).toBe(78);
    expect(wrong).toEqual([
      expect.stringMatching(/main\.yaml:1:1: sesions.*did you mean "sessions"/),
      expect.stringMatching(/main\.yaml:2:\d+: runs\.max_concurrent/),
    ]);
    expect(wrong[0]).toContain("`statehive config validate");
  });

  it("a secret file that others can read", async () => {
    writeFileSync(join(home, "key"), "sk-ant-1234567890\n");
    chmodSync(join(home, "key"), 0o644);
    const provider = "id: anthropic\ntype: anthropic\napi_key: file:key\n";
    writeFileSync(join(home, "config/providers.d/anthropic.yaml"), provider);
    const { code, wrong } = await examined();
    expect(code).toBe(78);
    expect(wrong[0]).toContain("the secret file key: can be read by every user; run chmod 600");
  });
});

describe("doctor finds of the database", () => {
  const file = () => join(home, "data/statehive.db");

  async function madeDatabase(rows: readonly AuditRow[] = []): Promise<void> {
    const url = pathToFileURL(file()).href;
    const store = await openLibsqlStore({ url, tables: allTables, durability: "process" });
    store.begin();
    for (const row of rows) store.put(auditTable, row);
    const last = rows.at(-1);
    if (last !== undefined)
      store.put(auditHeadTable, { name: "audit", n: last.n, hash: last.hash });
    await store.commit();
    await store.close();
  }

  function change(sql: string): void {
    const connection = new LibsqlConnection(file(), 1000);
    connection.exec(sql);
    connection.close();
  }

  const row = (n: number, at: number, previous?: AuditRow): AuditRow =>
    chained({ ...auditRow, n, at, start_at: at, end_at: at }, previous);
  const first = row(1, fixedNow - 1000);
  const second = row(2, fixedNow, first);

  it("that it is whole and its audit trail unbroken", async () => {
    await madeDatabase([first, second]);
    const { wrong, line } = await examined();
    expect(wrong).toEqual([]);
    expect(line("database")).toMatch(/KiB, whole$/);
    expect(line("audit trail")).toBe("2 rows, whole");
    expect(line("clock and records")).toBe("newest row 2026-03-01T12:00:00.000Z");
  });

  it("an audit row that somebody changed", async () => {
    await madeDatabase([first, second]);
    change("UPDATE audit SET tool = 'file_read' WHERE n = 1");
    const { code, wrong } = await examined();
    expect(code).toBe(1);
    expect(wrong).toEqual([
      "fail audit trail: broken at row 1: its content was changed -> somebody changed the database; compare it with a copy",
    ]);
  });

  it("of a very long audit trail the newest rows only, and says so", async () => {
    await madeDatabase([first, second]);
    change("UPDATE audit SET tool = 'file_read' WHERE n = 1");
    const found = await inspectDatabase(pathToFileURL(file()).href, 1);
    expect(databaseFindings(found, fixedNow).map((each) => each.found)).toContain(
      "the last 1 of 2 rows are whole",
    );
  });

  it("what is done at set times: what is due next, what failed, and what was set aside", async () => {
    await madeDatabase([]);
    writeFileSync(
      join(home, "config/schedules.yaml"),
      '[{ id: consolidate, cron: "30 3 * * *", command: RunScheduledConsolidation }]\n',
    );
    const { line } = await examined();
    expect(line("schedules")).toBe("1, none is due");
    const found = scheduleFindings([
      { ...sampleSchedule, failures: 2, last_detail: "m is not there" },
      { ...sampleSchedule, id: "tidy", state: "set_aside", next_at: null },
    ]);
    expect(
      found.map((each) => `${each.state} ${each.check}: ${each.found} -> ${each.fix}`),
    ).toEqual([
      "ok schedules: 2, next consolidate at 2026-03-02 03:30:00 UTC -> null",
      "warn schedule consolidate: failed 2 times in a row: m is not there -> `statehive schedule show consolidate` has its run; `statehive schedule run consolidate --wait` tries again",
      "warn schedule tidy: was set aside after a fault -> `statehive actors dead` shows its fault; under another id in config/schedules.yaml it begins anew",
    ]);
  });

  it("rows from the future", async () => {
    await madeDatabase([row(1, fixedNow + 3_600_000)]);
    const { wrong } = await examined();
    expect(wrong).toEqual([
      expect.stringContaining(
        "the newest row is from the future: 2026-03-01T13:00:00.000Z -> set the clock",
      ),
    ]);
  });

  it("a newer version, and an older one", async () => {
    await madeDatabase();
    change("PRAGMA user_version = 99");
    expect((await examined()).wrong[0]).toMatch(
      /^fail database version: 99; .* -> update statehive/,
    );
    change("PRAGMA user_version = 1");
    expect((await examined()).wrong[0]).toMatch(
      /^warn database version: 1, not \d+ -> `statehive restart/,
    );
  });

  it("damage, and what is no database", async () => {
    await madeDatabase(Array.from({ length: 1 }, () => first));
    const { size } = statSync(file());
    writeFileSync(file(), Buffer.alloc(size - 4096, 7), { flag: "r+", mode: 0o600 });
    expect((await examined()).wrong[0]).toMatch(
      /^fail database: .* -> keep the damaged file; `statehive restore/,
    );
    writeFileSync(file(), "this is no database at all, but long enough to be looked at".repeat(20));
    expect((await examined()).wrong[0]).toMatch(/^fail database: .*it is not a database/);
  });
});

describe("doctor finds of memory", () => {
  const embeddings = (text: string) =>
    writeFileSync(join(home, "config/main.yaml"), `embeddings: ${text}\n`);

  it("that it is well, and how it is found", async () => {
    mkdirSync(join(home, "memory/main/local"), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, "memory/main/local/MEMORY.md"), "- tea\n");
    const { wrong, line } = await examined();
    expect(wrong).toEqual([]);
    expect(line("memory")).toBe(`${join(home, "memory")}, of this user`);
    expect(line("memory index")).toBe("there is none; the service makes it from the files");
    expect(line("embedder")).toMatch(/; not asked \(--online asks\)$/);
    expect(line("memory watched")).toMatch(/^2 files and directories, of \d+ that/);
  });

  it("that others can read it, and what stands in the place of its index", async () => {
    mkdirSync(join(home, "memory"));
    chmodSync(join(home, "memory"), 0o755);
    writeFileSync(join(home, "data/memory.db"), "no index", { mode: 0o600 });
    const { wrong } = await examined();
    expect(wrong).toEqual([
      expect.stringMatching(/^warn .*\/memory: has mode 755: other users can read it -> chmod 700/),
      expect.stringMatching(/^warn memory index: .*memory\.db is no index -> `statehive restart/),
    ]);
    rmSync(join(home, "data/memory.db"));
    mkdirSync(join(home, "data/memory.db"));
    expect((await examined()).wrong).toContainEqual(
      expect.stringMatching(/^fail memory index: .* -> move away what stands at .*memory\.db, or/),
    );
  });

  it("a server of vectors without its key, one that does not answer, and none", async () => {
    embeddings("{ provider: openai, api_key: env:NO_SUCH_KEY }");
    expect((await examined()).wrong).toEqual([
      expect.stringMatching(/^warn embedder: The key of the embedder, env:NO_SUCH_KEY, is not set/),
    ]);
    embeddings("{ provider: openai, api_key: null, base_url: http://127.0.0.1:9/v1 }");
    expect((await examined()).wrong).toEqual([]);
    expect((await examined(["--online"])).wrong).toEqual([
      expect.stringMatching(/^warn embedder: .*text-embedding-3-small.*: /),
    ]);
    embeddings("{ provider: none }");
    expect((await examined()).line("embedder")).toContain("found by words alone");
  });

  it("more files than may be watched", () => {
    expect(watchFinding({ needed: 5_000, limit: 8_192 })).toMatchObject({ state: "warn" });
    expect(watchFinding({ needed: 4_096, limit: 8_192 })).toMatchObject({ state: "ok" });
  });
});

describe("doctor finds of the service", () => {
  it("that it runs with another version", async () => {
    const { home: other } = await fakeService({ status: { ...sampleStatus, version: "0.0.9" } });
    mkdirSync(join(other, "config"));
    const { findings } = await examined([], { at: other });
    expect(findings.find(({ check }) => check === "service")).toMatchObject({
      state: "warn",
      found: "runs (pid 4711) with version 0.0.9; this command is 0.1.0",
    });
  });

  it("that it hangs", async () => {
    const { home: other } = await fakeService({ status: "silence" });
    mkdirSync(join(other, "config"));
    const { code, findings } = await examined([], { at: other });
    expect(code).toBe(1);
    const found = findings.find(({ check }) => check === "service");
    expect(found).toMatchObject({ state: "fail" });
    expect(found?.found).toContain(
      "does not answer: The service did not answer status within 300 ms",
    );
    expect(found?.fix).toContain("`statehive stop --force");
  });

  it("the socket and the pid file of one that was killed", async () => {
    const socket = join(home, "run/statehive.sock");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(socket, "");
    writeFileSync(join(home, "run/statehive.pid"), JSON.stringify({ pid: 1, started: "0" }));
    const { wrong } = await examined();
    expect(wrong).toEqual([
      expect.stringMatching(
        /^warn service: does not run, and has left the socket .* -> `statehive start/,
      ),
      expect.stringMatching(/^warn pid file: .* names a process that has ended/),
    ]);
  });

  it("a process that holds the home and listens nowhere", async () => {
    const path = join(home, "run/owner.lock");
    const lock = await acquireOwnerLock(path);
    onTestFinished(() => lock.release());
    expect(lockHolder(path)).toBe(process.pid);
    const { wrong } = await examined();
    expect(wrong[0]).toMatch(
      /^fail service: the process \d+ holds the home, but listens on no socket/,
    );
    await lock.release();
    expect(lockHolder(path)).toBe(null);
  });

  it("a socket path that the kernel would cut", async () => {
    const deep = join(temporaryDirectory(), "d".repeat(120));
    mkdirSync(join(deep, "config"), { recursive: true });
    const env = { XDG_RUNTIME_DIR: `/tmp/${"r".repeat(120)}` };
    const { findings } = await examined([], { at: deep, env });
    expect(findings.find(({ check }) => check === "socket path")).toMatchObject({ state: "fail" });
  });

  it("a log that cannot be written", async () => {
    mkdirSync(join(home, "logs/statehive.log"));
    expect((await examined()).wrong).toEqual([
      expect.stringMatching(/^fail log: .*statehive\.log cannot be written: it is not a file/),
    ]);
  });

  it("a unit of somebody else, one that is out of date, not enabled, and without linger", async () => {
    const env = { XDG_CONFIG_HOME: join(home, "xdg"), USER: "nobody-lingers" };
    await run(["service", "install", "--home", home], { env, home });
    const before = await examined([], { env });
    expect(before.wrong.map((line) => line.split(":")[0])).toEqual([
      "warn systemd start",
      "warn systemd linger",
    ]);
    const unit = before.findings.find(({ check }) => check === "systemd")?.found ?? "";
    writeFileSync(unit, `${unitMark}\n[Service]\n`);
    expect((await examined([], { env })).wrong[0]).toContain(
      "is not what this version would write",
    );
    writeFileSync(unit, "[Service]\n");
    expect((await examined([], { env })).wrong[0]).toContain("was not written by statehive");
  });
});

describe("doctor finds of the models", () => {
  const key = "sk-ant-0123456789-ABCDEFGHIJ";
  const anthropic = (url: string) =>
    writeFileSync(
      join(home, "config/providers.d/anthropic.yaml"),
      `id: anthropic\ntype: anthropic\napi_key: env:ANTHROPIC_API_KEY\nbase_url: ${url}\n`,
    );

  it("an agent that nobody answers for", async () => {
    anthropic("http://127.0.0.1:1");
    writeFileSync(
      join(home, "config/agents.d/main.yaml"),
      "id: main\ntools: { allow: [file_read] }\nmodel_policy: { primary: anthropic/x }\n",
    );
    const { code, wrong } = await examined();
    expect(code).toBe(1);
    expect(wrong).toEqual([
      expect.stringMatching(
        /^fail agent main: nobody answers for it: .* -> set the provider's key/,
      ),
    ]);
  });

  it("asks providers only with --online, and tells what they said without the key", async () => {
    let refuses = false;
    const server = await startAnthropicServer(() =>
      refuses ? apiError(401, "authentication_error", `bad key ${key}`) : says("p"),
    );
    onTestFinished(() => server.close());
    anthropic(server.url);
    const env = { ANTHROPIC_API_KEY: key };
    expect((await examined([], { env })).line("provider anthropic")).toContain(
      "not asked (--online asks)",
    );
    expect(server.requests.length).toBe(0);
    expect(
      (await examined(["--online", "--timeout", "5000"], { env })).line("provider anthropic"),
    ).toMatch(/answered in \d+ ms/);
    refuses = true;
    const { code, wrong } = await examined(["--online"], { env });
    expect(code).toBe(1);
    expect(wrong).toEqual([expect.stringMatching(/^fail provider anthropic: model\.auth: /)]);
    expect(JSON.stringify(wrong)).not.toContain(key.slice(0, 10));
  });

  it("what runs commands, where an agent may", async () => {
    writeFileSync(join(home, "config/agents.d/main.yaml"), "id: main\n");
    const { findings } = await examined();
    const sandbox = findings.filter(({ area }) => area === "sandbox");
    expect(sandbox.map(({ check }) => check)).toEqual(["bubblewrap", "prlimit"]);
  });
});

it("tells people the same, area by area, and looks at their terminal", async () => {
  const env = { TERM: "dumb", LANG: "C" };
  const { out } = await run(["doctor", "--home", home], { env, isTTY: true });
  expect(out).toContain("\nhome\n  ok    home: ");
  expect(out).toContain("  warn  terminal: TERM is dumb");
  expect(out).toContain(
    "  warn  locale: C: letters beyond ASCII may be shown wrongly\n        export LANG=C.UTF-8\n",
  );
  expect(out).toMatch(/\n0 failed, \d to look at, \d+ well\.\n$/);
});

const auditRow: AuditRow = {
  n: 0,
  at: 0,
  kind: "decision",
  trace_id: "t1",
  task_id: "k1",
  run_id: "r1",
  step_id: "s1",
  session: "s",
  agent: "main",
  tool_call_id: "c1",
  tool: "file_write",
  input: {},
  input_hash: "h",
  requested_capabilities: [],
  granted_capabilities: [],
  approval_required: 0,
  approval_result: null,
  decided_by: null,
  start_at: 0,
  end_at: 0,
  status: "ok",
  reason: null,
  error: null,
  prev_hash: "",
  hash: "",
};

const asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath];
const isRoot = process.platform === "linux" && process.getuid?.() === 0;

it.runIf(isRoot)(
  "files of memory that the user may not read are named, with the command",
  async () => {
    const memory = join(home, "memory");
    mkdirSync(join(memory, "main/local"), { recursive: true, mode: 0o700 });
    const file = join(memory, "main/local/MEMORY.md");
    writeFileSync(file, "- Theirs.\n", { mode: 0o600 });
    chmodSync(tmpdir(), 0o711);
    execFileSync("chown", ["-R", "65534:65534", home]);
    execFileSync("chown", ["0:0", file]);
    const main = join(import.meta.dirname, "../../dist/cli/main.js");
    const env = { STATEHIVE_HOME: home, HOME: home, PATH: process.env["PATH"] };
    const { stdout } = spawnSync("setpriv", [...asNobody, main, "doctor", "--json"], {
      env,
      cwd: home,
    });
    const { findings } = report.parse(JSON.parse(String(stdout))).data;
    expect(findings.find(({ check }) => check === "memory files")).toMatchObject({
      state: "fail",
      found: "this user may not read or write main/local/MEMORY.md: what stands there is not found",
      fix: `chown -R 65534 '${memory}'; chmod -R u+rwX '${memory}'`,
    });
  },
);
