import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { chatEvent } from "../../../src/schema/shown/chat-event.ts";
import { logRecord } from "../../../src/schema/shown/log-record.ts";
import { sidecarEvent } from "../../../src/schema/shown/news.ts";
import { methodResults } from "../../../src/schema/socket/results.ts";
import { errorData, shownAudit } from "../../../src/schema/shown/shown.ts";
import type { World } from "./world.ts";

/** One row for each command. A new command gets a row here: the matrix fails without it, and then holds the command to all that
 *  is promised for every command (docs/cli.md). */
export type Row = {
  /** What stands behind the command's name. */
  readonly args?: readonly string[] | ((world: World) => readonly string[]);
  /** Arguments of the right form that name nothing: exit code 6. */
  readonly missing?: readonly string[];
  /** `data` of --json; for a stream the shape of each line. */
  readonly shape: z.ZodType;
  /** `stream`: one event a line instead of one object. */
  readonly prints?: "stream";
  /** `once`: it changes something, so its working call is made once. `process`: it begins or ends processes, so its working call
   *  is made in start-stop.test.ts, processes.test.ts or a suite of its own. `outside`: it changes what is no part of a home, or needs a terminal of its own, so it is not run here at all. */
  readonly runs?: "once" | "process" | "outside";
  /** What it prints is its answer whatever the exit code says. */
  readonly reports?: true;
  /** The exit code where the service is silent, or of another version, if it is not what `offline` makes of it. */
  readonly whenSilent?: number;
};

const strings = z.array(z.string());
const started = z.strictObject({
  pid: z.int(),
  already_running: z.boolean(),
  version: z.string(),
  home: z.string(),
  socket: z.string(),
  log: z.string(),
  model: z.string(),
});
const providerReport = z.strictObject({
  providers: z.array(
    z.strictObject({
      id: z.string(),
      type: z.string(),
      base_url: z.string().nullable(),
      api_key: z.string().nullable(),
      key: z.enum(["set", "missing", "not needed"]),
      default_model: z.string().nullable(),
      used_by: strings,
    }),
  ),
  auto: z.string().nullable(),
  without_model: z.array(z.strictObject({ agent: z.string(), message: z.string() })),
});
const switchedAgent = z.strictObject({
  id: z.string(),
  state: z.enum(["enabled", "disabled"]),
  file: z.string(),
  reloaded: z.boolean(),
});
const unit = { name: z.string(), file: z.string(), enabled: z.string() };
const policyWord = z.enum(["run", "ask", "deny"]);
const nothing = z.never();
const ownRun = ({ ended }: World) => [ended.run_id];

export const rows: { readonly [command: string]: Row } = {
  "init": { shape: z.strictObject({ home: z.string(), written: strings, kept: strings }) },
  "start": { shape: started, runs: "process", whenSilent: 4 },
  "stop": {
    shape: z.strictObject({ pid: z.int().nullable(), killed: z.boolean() }),
    runs: "process",
    whenSilent: 4,
  },
  "restart": { shape: started, runs: "process", whenSilent: 4 },
  "status": { shape: methodResults.status },
  "doctor": {
    shape: z.strictObject({
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
      mended: strings,
    }),
    reports: true,
  },
  "serve": { shape: nothing, runs: "process" },
  "backup": {
    args: ({ home }) => [join(home, `copy-${randomUUID()}.db`)],
    shape: methodResults.backup,
    runs: "once",
  },
  "restore": { args: ["/nowhere.db", "--yes"], shape: nothing, runs: "process" },
  "service print": { shape: z.strictObject({ ...unit, text: z.string() }) },
  "service install": { shape: nothing, runs: "outside" },
  "service uninstall": { shape: nothing, runs: "outside" },
  "tui": { shape: nothing, runs: "outside" },
  "chat": {
    args: ["-p", "hello", "-s", "other"],
    shape: chatEvent,
    prints: "stream",
    runs: "once",
  },
  "memory search": {
    args: ["door", "code"],
    missing: ["--agent", "nobody", "tea"],
    shape: methodResults["memory.search"],
  },
  "memory show": {
    missing: ["main/local/none.md"],
    shape: z.union([methodResults["memory.files"], methodResults["memory.show"]]),
  },
  "memory log": { missing: ["--diff", "m0"], shape: methodResults["memory.log"] },
  "memory restore": {
    args: ({ remembered }) => [remembered],
    missing: ["m0"],
    shape: methodResults["memory.restore"],
    runs: "once",
  },
  "memory forget": {
    args: ["the door code", "--yes"],
    missing: ["never remembered", "--yes"],
    shape: methodResults["memory.forget"],
    runs: "once",
  },
  "memory reindex": { shape: methodResults["memory.reindex"], runs: "once" },
  "memory consolidate": {
    args: ["--dry-run"],
    missing: ["--agent", "nobody"],
    shape: methodResults["memory.consolidate"],
    runs: "once",
  },
  "memory stats": { shape: methodResults["memory.stats"] },
  "approvals list": { shape: methodResults["approvals.list"] },
  "approvals show": {
    args: (world) => [world.waiting("stays").id],
    missing: ["a0"],
    shape: methodResults["approvals.show"],
  },
  "approvals allow": {
    args: (world) => [world.waiting("allow").id, "--scope", "session"],
    missing: ["a0"],
    shape: methodResults["approvals.decide"],
    runs: "once",
  },
  "approvals deny": {
    args: (world) => [world.waiting("deny").id, "--reason", "not here"],
    missing: ["a0"],
    shape: methodResults["approvals.decide"],
    runs: "once",
  },
  "approvals answer": {
    args: (world) => [world.waiting("answer").id, "tea"],
    missing: ["a0", "x"],
    shape: methodResults["approvals.answer"],
    runs: "once",
  },
  "grants list": {
    args: ["--session", "local:local:granted:owner:main"],
    missing: ["--session", "s0"],
    shape: methodResults["grants.list"],
  },
  "grants revoke": {
    args: ({ grant }) => [grant.id],
    missing: ["g0"],
    shape: methodResults["grants.revoke"],
    runs: "once",
  },
  "marks list": { shape: methodResults["marks.list"] },
  "marks clear": {
    args: ["main", "notes.md"],
    missing: ["main", "unmarked.md"],
    shape: methodResults["marks.clear"],
    runs: "once",
  },
  "pair list": {
    missing: ["--connector", "nobody"],
    shape: methodResults["pairings.list"],
  },
  "pair approve": {
    args: ({ code }) => [code],
    missing: ["AAAAAAAA"],
    shape: methodResults["pairings.approve"],
    runs: "once",
  },
  "pair revoke": {
    args: ["tg", "7007"],
    missing: ["tg", "1"],
    shape: methodResults["pairings.revoke"],
    runs: "once",
  },
  "policy explain": {
    args: ["main", "file_write", '{"path":"a.txt","content":"x"}'],
    missing: ["nobody", "file_write", "{}"],
    shape: z.strictObject({
      verdict: policyWord,
      risk: z.enum(["safe", "guarded", "unsafe"]),
      reason: z.string(),
      capabilities: strings,
      grantable: z.boolean(),
      proposed_grants: strings,
      terms: z.string(),
      question: z.string().nullable(),
    }),
  },
  "policy replay": {
    args: ({ home }) => ["--policy", `${home}/config/agents.d/main.yaml`, "--all"],
    missing: ["--policy", "/nowhere/main.yaml"],
    shape: z.strictObject({
      agent: z.string(),
      judged: z.int(),
      changed: z.int(),
      changes: z.array(
        z.strictObject({
          from: policyWord,
          to: policyWord,
          calls: z.int(),
          is_looser: z.boolean(),
        }),
      ),
      asks: z.strictObject({ from: z.int(), to: z.int() }),
      calls: z.array(
        z.strictObject({
          n: z.int(),
          at: z.string(),
          agent: z.string(),
          run_id: z.string(),
          tool: z.string(),
          input: z.json(),
          capabilities: strings,
          was: policyWord,
          now: policyWord.nullable(),
          becomes: policyWord,
          reason: z.string(),
        }),
      ),
    }),
  },
  "sessions list": { shape: methodResults["sessions.list"] },
  "sessions show": {
    args: ["local:local:hello:owner:main"],
    missing: ["s0"],
    shape: methodResults["sessions.show"],
  },
  "sessions compact": {
    args: ["local:local:hello:owner:main"],
    missing: ["s0"],
    shape: methodResults["sessions.compact"],
  },
  "sessions reset": {
    args: ["local:local:reset:owner:main"],
    missing: ["s0"],
    shape: methodResults["sessions.reset"],
    runs: "once",
  },
  "task run": {
    args: ["main", "hello", "--boundary", "fs.read:**"],
    missing: ["nobody", "hello"],
    shape: chatEvent,
    prints: "stream",
    runs: "once",
  },
  "task list": { shape: methodResults["tasks.list"] },
  "task show": {
    args: ({ ended }) => [ended.task_id],
    missing: ["t0"],
    shape: methodResults["tasks.show"],
  },
  "task cancel": {
    args: (world) => [world.waiting("task").run_id.replace("r", "t")],
    missing: ["t0"],
    shape: methodResults["tasks.cancel"],
    runs: "once",
  },
  "usage": { args: ["--by", "run"], shape: methodResults["usage.totals"] },
  "runs list": { shape: methodResults["runs.list"] },
  "runs show": { args: ownRun, missing: ["r0"], shape: methodResults["runs.show"] },
  "runs cancel": {
    args: (world) => [world.waiting("cancel").run_id],
    missing: ["r0"],
    shape: methodResults["runs.cancel"],
    runs: "once",
  },
  "runs replay": { args: ownRun, missing: ["r0"], shape: methodResults["runs.replay"] },
  "runs fork": {
    args: ({ ended, firstStep }) => [ended.run_id, "--at", String(firstStep), "-p", "hello"],
    missing: ["r0", "--at", "1", "-p", "hello"],
    shape: z.union([
      chatEvent,
      methodResults["runs.fork"].extend({ type: z.literal("run.forked") }),
    ]),
    prints: "stream",
    runs: "once",
  },
  "deliveries list": { shape: methodResults["deliveries.list"] },
  "deliveries show": {
    args: (world) => [world.delivery("unknown").id],
    missing: ["d0"],
    shape: methodResults["deliveries.show"],
  },
  "deliveries resend": {
    args: (world) => [world.delivery("unknown").id],
    missing: ["d0"],
    shape: methodResults["deliveries.resend"],
    runs: "once",
  },
  "deliveries cancel": {
    args: (world) => [world.delivery("pending").id],
    missing: ["d0"],
    shape: methodResults["deliveries.cancel"],
    runs: "once",
  },
  "actors tree": { args: ["session/"], shape: methodResults["actors.tree"] },
  "actors get": {
    args: ({ ended }) => [ended.address],
    missing: ["nobody"],
    shape: methodResults["actor.get"],
  },
  "actors dead": { shape: methodResults["actors.dead"] },
  "actors send": {
    args: (world) => [world.waiting("send").address.split("/call/")[0] ?? "", "run.cancel"],
    missing: ["nobody", "run.cancel"],
    shape: methodResults["actor.send"],
    runs: "once",
  },
  "actors watch": { shape: nothing, runs: "process" },
  "inspect": { missing: ["nobody"], shape: nothing, runs: "process" },
  "events tail": { args: ["--no-follow"], shape: z.array(sidecarEvent) },
  "logs": { shape: z.array(logRecord) },
  "audit query": { shape: methodResults["audit.query"] },
  "audit export": { shape: shownAudit, prints: "stream" },
  "audit verify": { shape: methodResults["audit.verify"] },
  "agents list": { shape: methodResults["agents.list"] },
  "agents show": {
    args: ["main"],
    missing: ["nobody"],
    shape: methodResults["agents.show"],
  },
  "agents add": {
    args: ["ops"],
    shape: z.strictObject({
      id: z.string(),
      workspace: z.string(),
      written: strings,
      reloaded: z.boolean(),
    }),
    runs: "once",
  },
  "agents enable": {
    args: ["helper"],
    missing: ["nobody"],
    shape: switchedAgent,
    runs: "once",
  },
  "agents disable": {
    args: ["helper"],
    missing: ["nobody"],
    shape: switchedAgent,
    runs: "once",
  },
  "config reload": { shape: methodResults["config.reload"] },
  "config validate": {
    shape: z.strictObject({
      home: z.string(),
      files: strings,
      agents: strings,
      warnings: z.array(z.looseObject({ message: z.string() })),
      unpriced: z.array(
        z.strictObject({ agent: z.string(), model: z.string(), message: z.string() }),
      ),
    }),
  },
  "config schema": { shape: z.record(z.string(), z.looseObject({})) },
  "config show": { shape: z.looseObject({ home: z.string(), agents: z.array(z.looseObject({})) }) },
  "connectors list": { shape: methodResults["connectors.list"] },
  "connectors status": {
    args: ["tg"],
    missing: ["nobody"],
    shape: methodResults["connectors.status"],
  },
  "connectors test": {
    missing: ["nobody"],
    shape: z.array(
      z.strictObject({
        id: z.string(),
        type: z.string(),
        account: z.string().nullable(),
        state: z.enum(["answers", "fails"]),
        latency_ms: z.number(),
        error: errorData.partial().nullable(),
      }),
    ),
    runs: "process",
  },
  "connectors start": {
    args: ["tg"],
    missing: ["nobody"],
    shape: methodResults["connectors.start"],
    runs: "once",
  },
  "connectors stop": {
    args: ["tg"],
    missing: ["nobody"],
    shape: methodResults["connectors.stop"],
    runs: "once",
  },
  "schedule list": { shape: methodResults["schedules.list"] },
  "schedule show": {
    args: ["report"],
    missing: ["nothing"],
    shape: methodResults["schedules.show"],
  },
  "schedule run": {
    args: ["report", "--wait"],
    missing: ["nothing"],
    shape: methodResults["schedules.run"],
    runs: "once",
  },
  "schedule pause": {
    args: ["other"],
    missing: ["nothing"],
    shape: methodResults["schedules.pause"],
    runs: "once",
  },
  "schedule resume": {
    args: ["main.asleep"],
    missing: ["nothing"],
    shape: methodResults["schedules.resume"],
    runs: "once",
  },
  "schedule remove": {
    args: ["main.old"],
    missing: ["nothing"],
    shape: methodResults["schedules.remove"],
    runs: "once",
  },
  "providers list": { shape: providerReport },
  "providers test": {
    args: ["offline"],
    missing: ["nobody"],
    shape: z.array(
      z.strictObject({
        id: z.string(),
        model: z.string().nullable(),
        state: z.enum(["answers", "fails", "not_asked"]),
        latency_ms: z.number().nullable(),
        error: errorData.partial().nullable(),
      }),
    ),
  },
  "tools list": {
    args: ["--agent", "main"],
    missing: ["--agent", "nobody"],
    shape: z.array(
      z.strictObject({
        name: z.string(),
        recovery: z.enum(["repeat", "keyed", "once"]),
        description: z.string(),
        parameters: z.json(),
        risk: z.enum(["safe", "guarded", "unsafe"]),
        capabilities: strings,
      }),
    ),
  },
  "completion": {
    args: ["bash"],
    shape: z.strictObject({ shell: z.string(), script: z.string() }),
  },
  "machines list": { shape: methodResults["machines.list"] },
  "machines show": {
    args: ["run"],
    missing: ["nothing"],
    shape: z.strictObject({ name: z.string(), format: z.string(), chart: z.json() }),
  },
  "version": { shape: z.strictObject({ version: z.string(), node: z.string() }) },
};
