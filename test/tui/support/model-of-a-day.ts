import type { ActorStateRow } from "../../../src/schema/shown/actor-view.ts";
import type {
  ServiceStatus,
  ShownApproval,
  ShownRun,
} from "../../../src/schema/socket/protocol.ts";
import { createModel, type Model } from "../../../src/tui/model/model.ts";

/** A service in the middle of its work, as the interface knows it; always the same. */

export const dayStart = Date.UTC(2026, 0, 5, 12, 0, 0);
const ago = (seconds: number) => new Date(dayStart - seconds * 1000).toISOString();

const cli = "session/local:local:cli:owner:main";
const telegram = "session/telegram:tg_main:42:42:ops";

type Sketch = readonly [
  address: string,
  kind: string,
  state: string,
  tags: string,
  seconds: number,
  status?: ActorStateRow["status"],
];

const sketches: readonly Sketch[] = [
  ["system", "system", "up", "", 10_800],
  [cli, "session", "running", "busy", 64],
  [`${cli}/run/r7`, "run", "awaiting_tool", "busy", 4],
  [`${cli}/run/r7/call/c9-0`, "tool_call", "awaiting_approval", "approval", 3],
  [`${cli}/run/r7/call/c9-1`, "tool_call", "done", "terminal", 2, "done"],
  [`${cli}/run/r7/call/c9-0/approval/a25`, "approval", "pending", "approval", 3],
  [telegram, "session", "idle", "waiting", 660],
  [`${telegram}/run/r3`, "run", "failed", "terminal", 30, "done"],
];

export function actorRow([
  address,
  kind,
  state,
  tags,
  seconds,
  status = "active",
]: Sketch): ActorStateRow {
  return {
    address,
    kind,
    state,
    status,
    parent: parentOf(address),
    since: ago(seconds),
    tags: tags === "" ? [] : tags.split(" "),
    trace: address.startsWith(cli) ? "t-cli" : "t-tg",
  };
}

function parentOf(address: string): string | null {
  if (address === "system") return null;
  const parts = address.split("/");
  return parts.length <= 2 ? "system" : parts.slice(0, -2).join("/");
}

const usage = {
  input_tokens: 1204,
  output_tokens: 310,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  calls: 2,
  cost_usd: 0.0113,
  unpriced_calls: 0,
} as ShownRun["usage"];

export const pendingApproval: ShownApproval = {
  id: "a25",
  address: `${cli}/run/r7/call/c9-0/approval/a25`,
  kind: "call",
  state: "pending",
  tool: "file_write",
  summary: "writes 8 bytes to todo.txt",
  risk: "guarded",
  input: { path: "todo.txt", content: "buy milk" },
  binding: "b-1",
  reason: "Guarded; no grant covers fs.write:todo.txt; asks.",
  requested: ["fs.write:todo.txt"],
  proposed_grants: ["fs.write:todo.txt"],
  terms: "",
  approvers: [],
  options: [],
  default_answer: "",
  session_id: "s1",
  run_id: "r7",
  step_id: "r7.1",
  agent_id: "main",
  trace_id: "t-cli",
  created_at: ago(3),
  expires_at: new Date(dayStart + 28 * 60_000).toISOString(),
  decided_at: null,
  decided_by: null,
  scope: null,
  until: null,
  answer: null,
};

export function modelOfADay(): Model {
  const model = createModel();
  model.actors.replace(sketches.map(actorRow));
  model.approvals = [pendingApproval];
  model.runs = [
    runRow("r7", cli, "awaiting_tool", null),
    runRow("r3", telegram, "failed", ago(30)),
  ];
  model.sessions = [
    sessionRow("s1", cli, "main", "running", 64),
    sessionRow("s2", telegram, "ops", "idle", 660),
  ];
  model.status = status;
  model.steps.add([
    {
      seq: 41,
      at: ago(3),
      address: `${cli}/run/r7/call/c9-0`,
      event: "verdict.given",
      outcome: "handled",
      reason: null,
      state_before: "checking",
      state_after: "awaiting_approval",
      trace: "t-cli",
    },
  ]);
  model.logs.add([
    { time: ago(10_800), level: "info", message: "the engine has started" },
    { time: ago(30), level: "warn", message: "a run failed", trace_id: "t-tg", run_id: "r3" },
  ]);
  return model;
}

function runRow(run_id: string, session: string, state: string, ended_at: string | null): ShownRun {
  const isCli = session === cli;
  return {
    run_id,
    address: `${session}/run/${run_id}`,
    session_id: isCli ? "s1" : "s2",
    agent_id: isCli ? "main" : "ops",
    task_id: `t${run_id.slice(1)}`,
    trace_id: isCli ? "t-cli" : "t-tg",
    state,
    started_at: ago(isCli ? 4 : 40),
    ended_at,
    usage,
    retries: 0,
    reply: null,
    error: null,
    config_hash: "h1",
  };
}

function sessionRow(
  session_id: string,
  address: string,
  agent_id: string,
  state: string,
  seconds: number,
) {
  const key = address.slice("session/".length);
  const created_at = ago(seconds + 3_600);
  return {
    session_id,
    key,
    address,
    agent_id,
    state,
    created_at,
    last_at: ago(seconds),
    closed_at: null,
    label: key,
  };
}

const noTimes = { count: 0, mean_ms: 0, max_ms: 0, buckets: [] };

const status: ServiceStatus = {
  memory: { files: 2, chunks: 12, embedded: 12, embedder: "builtin", trouble: null },
  pid: 6216,
  state: "up",
  version: "0.1.0",
  home: "/home/ada/.statehive",
  started_at: ago(10_800),
  degraded: null,
  config_broken_since: null,
  agents: ["main", "ops"],
  model: "offline/rules",
  sessions: 2,
  runs: 1,
  approvals: 1,
  quarantined: 0,
  dead_letters: 0,
  queued: 0,
  working: 1,
  today: usage,
  connectors: [],
  deliveries: { open: 0, unknown: 0, dead: 0 },
  pairings: 0,
  schedules: { count: 0, next: null, in_need: [] },
  tight_budgets: [],
  alerts: [],
  bus: { published: { "actor.stepped": 412, "MessageAccepted": 4 }, listeners: [] },
  metrics: {
    events: { MessageAccepted: 4 },
    tools: [{ tool: "file_write", done: 3, failed: 0, cancelled: 0 }],
    tokens: { input_tokens: 1204, output_tokens: 310 },
    run_duration: noTimes,
    tool_duration: noTimes,
  },
  log: { lost: 0 },
};
