import type { ActorDetails } from "../../../src/schema/shown/actor-view.ts";
import type { ReplayFrame, RunMoment } from "../../../src/schema/shown/replay.ts";
import type { Results } from "../../../src/schema/socket/protocol.ts";
import type { ShownAudit, ShownMessage } from "../../../src/schema/shown/shown.ts";
import { dayStart, modelOfADay } from "./model-of-a-day.ts";

/** What the service of that day says of its runs and sessions. */

const at = (seconds: number) => new Date(dayStart + seconds * 1000).toISOString();

const hostile = "\u001B]0;owned\u0007 buy\u202E milk";

export function runRecord(id: string): Results["runs.show"] {
  const run = modelOfADay().runs.find(({ run_id }) => run_id === id);
  if (run === undefined) throw new Error(`no run ${id}`);
  const isWaiting = id === "r7";
  return {
    ...run,
    steps: [step(id, 1, isWaiting ? null : -35), ...(isWaiting ? [] : [step(id, 2, -30)])],
    audit: isWaiting ? [] : [decision, invocation],
    budgets: isWaiting ? [dayBudget] : [],
    recalled: isWaiting ? [] : [remembered],
    waits: null,
    trust: { private: ["file:notes.md"], untrusted: isWaiting ? [] : ["web:example.com"] },
  };
}

function step(run_id: string, number: number, ended: number | null) {
  return {
    step_id: `${run_id}.${number}`,
    run_id,
    number,
    action: ended === null ? null : number === 1 ? ("tool_call" as const) : ("respond" as const),
    started_at: at((ended === null ? -5 : -41) + number),
    ended_at: ended === null ? null : at(ended),
  };
}

const remembered = {
  score: 0.82,
  kind: "memory" as const,
  path: "main/local/MEMORY.md",
  line_start: 3,
  line_end: 3,
  text: `Things to get: ${hostile}`,
  agent: "main",
  heading: "",
  origins: [],
};

const dayBudget = {
  scope: "agent_day",
  total: "agent/main/day/2026-01-05",
  kind: "usd",
  limit: 5,
  allowed: 0,
  used: 4.1,
  held: 0.3,
  left: 0.6,
} as const;

const audited = {
  at: at(-36),
  trace_id: "t-tg",
  task_id: "t3",
  run_id: "r3",
  step_id: "r3.1",
  session: "s2",
  agent: "ops",
  tool_call_id: "toolu_1",
  tool: "shell_exec",
  input: { command: `echo ${hostile}` },
  input_hash: "i",
  requested_capabilities: ["shell.exec:echo"],
  granted_capabilities: ["shell.exec:echo"],
  approval_required: 1,
  approval_result: "approved",
  decided_by: "tui",
  error: null,
  prev_hash: "p",
  hash: "h",
} as const;

const decision: ShownAudit = {
  ...audited,
  n: 1,
  kind: "decision",
  start_at: at(-38),
  end_at: at(-36),
  status: "approved",
  reason: "Guarded; no grant covers shell.exec:echo; asks.",
};

const invocation: ShownAudit = {
  ...audited,
  n: 2,
  kind: "invocation",
  start_at: at(-36),
  end_at: at(-35),
  status: "failed",
  reason: null,
  error: "the command ended with 1",
};

const said: readonly ShownMessage[] = [
  {
    role: "user",
    content: [{ type: "text", text: `write ${hostile}\nto todo.txt please`, origin: "user:owner" }],
    run_id: "r7",
    at: at(-4),
  },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I shall write it down." },
      {
        type: "tool_use",
        id: "toolu_9",
        name: "file_write",
        input: { path: "todo.txt", content: "buy milk" },
      },
    ],
    run_id: "r7",
    at: at(-3),
  },
  {
    role: "tool",
    content: [
      {
        type: "tool_result",
        tool_call_id: "toolu_9",
        output: "1\n2\n3\n4\n5\n6",
        is_error: false,
        origin: "tool:file_write",
      },
    ],
    run_id: "r7",
    at: at(-2),
  },
];

export function sessionRecord(id: string): Results["sessions.show"] {
  const session = modelOfADay().sessions.find(({ session_id }) => session_id === id);
  if (session === undefined) throw new Error(`no session ${id}`);
  const usage = runRecord("r3").usage;
  const forked_from = id === "s1" ? { run_id: "r3", at: 12 } : null;
  return { ...session, usage, forked_from, shortened: null, messages: id === "s1" ? said : [] };
}

export function actorDetails(address: string): ActorDetails {
  const row = modelOfADay().actors.get(address);
  if (row === undefined) throw new Error(`nobody lives at ${address}`);
  const isRun = row.kind === "run";
  const calls = [
    { id: "toolu_9", child: "call/c9-0", tool: "file_write", state: "awaiting_approval" },
  ];
  return {
    ...row,
    version: "3",
    seq: 41,
    created_at: row.since,
    active: [row.state],
    context: isRun ? { calls } : { queued: 2, trust: { private: [], untrusted: ["tool:mcp"] } },
    next_events: [],
    timers: [],
    activities: [],
    children: 2,
    error: null,
  };
}

const session = "session/local:local:cli:owner:main";
const run = `${session}/run/r7`;

type Sketch = Pick<ReplayFrame, "address" | "machine" | "event" | "state_before" | "state_after"> &
  Partial<ReplayFrame>;

const sketched: readonly Sketch[] = [
  {
    address: run,
    machine: "run",
    event: "actor.created",
    state_before: null,
    state_after: "idle",
    what: { kind: "message", title: "user", text: hostile, is_cut: false },
  },
  {
    address: run,
    machine: "run",
    event: "slot.granted",
    state_before: "idle",
    state_after: "thinking",
  },
  {
    address: run,
    machine: "run",
    event: "xstate.done.actor.callModel",
    state_before: "thinking",
    state_after: "awaiting_tool",
    what: { kind: "answer", title: "offline/rules", text: "file_write {}", is_cut: true },
  },
  {
    address: `${run}/call/c9-0`,
    machine: "tool_call",
    event: "actor.created",
    state_before: null,
    state_after: "checking",
  },
  {
    address: `${run}/call/c9-0`,
    machine: "tool_call",
    event: "verdict.given",
    state_before: "checking",
    state_after: "awaiting_approval",
    replayed: "different",
    difference: { what: "state", expected: "awaiting_approval", found: "executing" },
  },
  {
    address: `${run}/call/c9-0`,
    machine: "tool_call",
    event: "xstate.done.actor.executeTool",
    state_before: "executing",
    state_after: "done",
    outcome: "rejected",
    reason: "it was over",
    replayed: "unknown",
    why: "version 1 of the chart is not here any more",
    what: { kind: "result", title: "file_write", text: "Created todo.txt", is_cut: false },
  },
];

function recordedFrames(count: number = sketched.length): ReplayFrame[] {
  return Array.from({ length: count }, (_, index): ReplayFrame => {
    const sketch = sketched[index % sketched.length];
    if (sketch === undefined) throw new Error("nothing is sketched");
    return {
      seq: 30 + index,
      at: at(-4 + index * 0.45),
      outcome: "handled",
      reason: null,
      origin: "actor",
      cause: index === 0 ? null : 29 + index,
      what: null,
      replayed: "same",
      why: null,
      difference: null,
      ...sketch,
    };
  });
}

/** A tape of so many frames, in pages of `limit`. */
export function replayPages(count?: number) {
  const frames = recordedFrames(count);
  return ({ after_seq, limit }: { after_seq: number; limit: number }): Results["runs.replay"] => {
    const rest = frames.filter(({ seq }) => seq > after_seq);
    const page = rest.slice(0, limit);
    return {
      run_id: "r7",
      trace_id: "t-cli",
      session_id: "s1",
      agent_id: "main",
      state: "awaiting_tool",
      started_at: at(-4),
      is_pruned: false,
      recalled: [],
      frames: page,
      next: rest.length > page.length ? (page.at(-1)?.seq ?? null) : null,
    };
  };
}

export function momentAt({ seq }: { seq: number }): RunMoment {
  const frame = recordedFrames(seq - 29).at(-1);
  if (frame === undefined) throw new Error(`no step ${seq}`);
  return {
    run_id: "r7",
    trace_id: "t-cli",
    frame,
    event: { type: frame.event, note: hostile },
    actors: [
      { address: run, machine: "run", state: "awaiting_tool", status: "active", seq: 32 },
      {
        address: `${run}/call/c9-0`,
        machine: "tool_call",
        state: frame.state_after,
        status: "active",
        seq,
      },
    ],
    value: frame.state_after,
    context: { round: 1 },
    context_unknown: null,
    recalled: [
      {
        score: 0.5,
        kind: "memory",
        path: "main/local/MEMORY.md",
        line_start: 3,
        line_end: 3,
        text: `Anna ${hostile}`,
        agent: "main",
        heading: "",
        origins: [],
      },
    ],
    messages: said.slice(0, 2),
    has_earlier_messages: false,
    is_cut: false,
  };
}
