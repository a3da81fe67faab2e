import { freeUsage } from "../../../src/app/records/usage-of.ts";
import type { ShownSchedule } from "../../../src/schema/shown/shown-schedules.ts";
import type {
  ServiceStatus,
  ShownApproval,
  ChatEvent,
} from "../../../src/schema/socket/protocol.ts";

export const sampleApproval: ShownApproval = {
  id: "a7",
  address: "session/local:local:cli:owner:main/run/r4/call/c5-0/approval/a7",
  kind: "call",
  state: "pending",
  tool: "file_write",
  summary: "Write 12 bytes to notes/a.txt",
  risk: "guarded",
  input: { path: "notes/a.txt", content: "first\nsecond" },
  binding: "b1",
  reason: "Guarded; no grant covers fs.write:todo.txt; asks.",
  requested: ["fs.write:notes/a.txt"],
  proposed_grants: ["fs.write:notes/a.txt"],
  terms: "",
  approvers: [],
  options: ["approve", "deny"],
  default_answer: "deny",
  session_id: "s3",
  run_id: "r4",
  step_id: "r4.1",
  agent_id: "main",
  trace_id: "t1",
  created_at: "2026-03-01T11:59:30.000Z",
  expires_at: "2026-03-02T11:59:30.000Z",
  decided_at: null,
  decided_by: null,
  scope: null,
  until: null,
  answer: null,
};

export const sampleBudget: ShownApproval = {
  ...sampleApproval,
  kind: "budget",
  tool: "budget",
  summary: "The run has used 0 of 1 000 tokens; the next model call may need up to 4 200 more.",
  reason: "`budget.run` is 1 000 tokens.",
  requested: [],
  proposed_grants: [],
  options: ["continue", "stop"],
  default_answer: "stop",
};

export const sampleQuestion: ShownApproval = {
  ...sampleApproval,
  id: "a9",
  kind: "question",
  tool: "ask_user",
  summary: "Which colour?",
  input: { question: "Which colour?", options: ["red", "blue"] },
  options: ["red", "blue"],
  proposed_grants: [],
};

export const sampleStatus: ServiceStatus = {
  pid: 4711,
  state: "running",
  version: "0.1.0",
  home: "/home/u/.statehive",
  started_at: "2026-03-01T09:00:00.000Z",
  degraded: null,
  config_broken_since: null,
  agents: ["main"],
  model: "offline/rules",
  sessions: 2,
  runs: 1,
  approvals: 1,
  quarantined: 0,
  dead_letters: 0,
  queued: 0,
  working: 0,
  today: { ...freeUsage },
  connectors: [],
  deliveries: { open: 0, unknown: 0, dead: 0 },
  pairings: 0,
  schedules: { count: 0, next: null, in_need: [] },
  tight_budgets: [],
  memory: { files: 2, chunks: 12, embedded: 12, embedder: "builtin", trouble: null },
  alerts: [],
  bus: {
    published: { "MessageAccepted": 2, "actor.stepped": 40 },
    listeners: [
      { name: "log", listening: 1, queued: 0, delivered: 2, dropped: 0, failed: 0 },
      { name: "chat", listening: 0, queued: 0, delivered: 12, dropped: 0, failed: 0 },
    ],
  },
  metrics: {
    events: {
      MessageAccepted: 2,
      ReplyReady: 1,
      TaskFailed: 0,
      NeedHumanApproval: 1,
      ToolExecuted: 1,
    },
    tools: [{ tool: "file_read", done: 1, failed: 0, cancelled: 0 }],
    tokens: { input_tokens: 10, output_tokens: 2 },
    run_duration: { count: 1, mean_ms: 40, max_ms: 40, buckets: [{ up_to_ms: null, count: 1 }] },
    tool_duration: { count: 0, mean_ms: 0, max_ms: 0, buckets: [] },
  },
  log: { lost: 0 },
};

export const started: ChatEvent = {
  type: "run.started",
  run_id: "r4",
  trace_id: "t1",
  session_id: "s3",
  agent_id: "main",
};

type Finished = Extract<ChatEvent, { type: "run.finished" }>;

export function finished(status: Finished["status"], more: Partial<Finished> = {}): Finished {
  const usage = { ...freeUsage, calls: 1, input_tokens: 10, output_tokens: 2 };
  const ids = { run_id: "r4", trace_id: "t1", session_id: "s3", agent_id: "main" };
  return { type: "run.finished", ...ids, status, reply: null, error: null, usage, ...more };
}

export const sampleSchedule: ShownSchedule = {
  id: "consolidate",
  address: "schedule/consolidate",
  source: "config",
  cron: "30 3 * * *",
  timezone: "local",
  command: "RunScheduledConsolidation",
  agent_id: null,
  task: null,
  session_key: null,
  deliver: null,
  state: "waiting",
  waiting_for: [],
  afterwards: "waiting",
  next_at: "2026-03-02T03:30:00.000Z",
  last_run_at: null,
  last_outcome: null,
  last_detail: null,
  last_run_id: null,
  missed_at: null,
  runs: 0,
  skipped: 0,
  failures: 0,
  error: null,
};
