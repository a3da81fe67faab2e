import { protocolVersion } from "../../src/schema/socket/protocol.ts";

/** What a client and the service say to each other, line by line. A test says the client's part to a service and holds the service's
 *  part to what it answers. */

export type Line = { readonly from: "client" | "service"; readonly line: object };

const ask = (id: number, method: string, params: object): Line => ({
  from: "client",
  line: { jsonrpc: "2.0", id, method, params },
});
const answer = (id: number, result: unknown): Line => ({
  from: "service",
  line: { jsonrpc: "2.0", id, result },
});
const tell = (method: string, params: object): Line => ({
  from: "service",
  line: { jsonrpc: "2.0", method, params },
});

const session = "session/local:local:api:owner:main";
const runIds = { run_id: "r4", trace_id: "t9c1", session_id: "s3", agent_id: "main" };

export const sampleSession: readonly Line[] = [
  ask(1, "hello", { protocol: protocolVersion, client: "api" }),
  answer(1, {
    protocol: protocolVersion,
    version: "0.1.0",
    pid: 4711,
    home: "/home/ann/.statehive",
    started_at: "2026-03-01T11:59:00.000Z",
  }),
  ask(2, "actors.subscribe", { prefix: "session/" }),
  answer(2, { rows: [], steps: [] }),
  ask(3, "actor.get", { address: "session/nobody" }),
  {
    from: "service",
    line: {
      jsonrpc: "2.0",
      id: 3,
      error: {
        code: -32000,
        message: "Nobody lives at session/nobody.",
        data: {
          code: "actor.not_found",
          message: "Nobody lives at session/nobody.",
          retryable: false,
          hint: "`statehive actors tree` lists the actors",
        },
      },
    },
  },
  ask(4, "chat.send", { chat: "c1", text: "hello" }),
  answer(4, {
    session_id: "s3",
    address: session,
    agent_id: "main",
    trace_id: "t9c1",
    queued: false,
    queue: "follow_up",
    waiting_for: [],
  }),
  tell("chat.tool", { chat: "c1", event: { type: "run.started", ...runIds } }),
  tell("chat.delta", { chat: "c1", event: { type: "text.delta", text: "I " } }),
  tell("actors.delta", {
    rows: [
      {
        address: session,
        kind: "session",
        state: "running",
        status: "active",
        parent: null,
        since: "2026-03-01T12:00:00.000Z",
        tags: ["busy"],
        trace: "t9c1",
      },
    ],
    steps: [
      {
        seq: 4,
        at: "2026-03-01T12:00:00.000Z",
        address: session,
        event: "message.received",
        outcome: "handled",
        reason: null,
        state_before: "idle",
        state_after: "running",
        trace: "t9c1",
      },
    ],
    dropped: 0,
  }),
  tell("chat.end", {
    chat: "c1",
    event: {
      type: "run.finished",
      ...runIds,
      status: "done",
      reply: "I am the offline model.",
      error: null,
      usage: {
        input_tokens: 120,
        output_tokens: 2,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        calls: 1,
        cost_usd: 0,
        unpriced_calls: 0,
      },
    },
  }),
];
