import type { ContentBlock } from "../llm.ts";
import type { QueueMode } from "../queue.ts";
import type { Table } from "./table.ts";

/** Rows of conversations: sessions, what was said, what waits to be. Times are milliseconds. */

export type Session = {
  session_id: string;
  /** `channel_type:connector_id:conversation_scope:user_scope:agent_id`; one open session at a time has it. */
  key: string;
  address: string;
  agent_id: string;
  state: "open" | "closed";
  created_at: number;
  last_at: number;
  closed_at: number | null;
};

export const sessionTable: Table<Session> = {
  name: "sessions",
  columns: {
    session_id: "text",
    key: "text",
    address: "text",
    agent_id: "text",
    state: "text",
    created_at: "integer",
    last_at: "integer",
    closed_at: "integer",
  },
  key: ["session_id"],
  indexes: {
    by_key: { equals: ["key"], order: ["created_at"] },
    by_last: { equals: [], order: ["last_at"] },
  },
};

/** Something that was said in it was forgotten: it tells memory nothing more. */
export type ForgottenSession = { session_id: string; forgotten_at: number };

export const forgottenSessionTable: Table<ForgottenSession> = {
  name: "forgotten_sessions",
  columns: { session_id: "text", forgotten_at: "integer" },
  key: ["session_id"],
  indexes: {},
};

/** A block with where its text came from: `user:ann`, `model:anthropic/claude-sonnet-4-5`, `tool:shell_exec`, `file:notes.md`,
 *  `web:example.com`, or `statehive` for its own words. Models are not shown it. */
export type StoredBlock = ContentBlock & { readonly origin?: string };

/** `tool` rows hold one tool_result block each; the history pairs them with the calls of the assistant row before. */
export type Message = {
  position: number;
  session_id: string;
  run_id: string;
  role: "user" | "assistant" | "tool";
  content: readonly StoredBlock[];
  at: number;
};

export const messageTable: Table<Message> = {
  name: "messages",
  columns: {
    position: "integer",
    session_id: "text",
    run_id: "text",
    role: "text",
    content: "json",
    at: "integer",
  },
  key: ["position"],
  indexes: { by_session: { equals: ["session_id"], order: ["position"] } },
};

/** A message that waits for its turn in a session. */
export type InboxMessage = {
  seq: number;
  /** The session's address: what waits ends with it. */
  owner: string;
  text: string;
  trace: string;
  at: number;
  mode: QueueMode;
  /** 0: an interrupt, which goes before all others; 1: everything else. */
  rank: 0 | 1;
  /** The run that it is to steer; of no meaning once that has ended. */
  run_id: string | null;
  /** What its task may do at most; null: what the agent may. */
  boundary: readonly string[] | null;
};

export const inboxTable: Table<InboxMessage> = {
  name: "inbox",
  columns: {
    seq: "integer",
    owner: "text",
    text: "text",
    trace: "text",
    at: "integer",
    mode: "text",
    rank: "integer",
    run_id: "text",
    boundary: "json",
  },
  key: ["seq"],
  indexes: {
    by_owner: { equals: ["owner"], order: ["rank", "seq"] },
    by_mode: { equals: ["owner", "mode"], order: ["seq"] },
    by_run: { equals: ["run_id"], order: ["seq"] },
  },
  owner: "owner",
};

/** Which run answers a message that began none: it was steered into that run, or collected with the one that began it. */
export type JoinedMessage = {
  /** The step that accepted the message. */
  seq: number;
  trace_id: string;
  run_id: string;
  /** The run's own trace: what follows is told under it. */
  run_trace_id: string;
  session_id: string;
  at: number;
};

export const joinedTable: Table<JoinedMessage> = {
  name: "joined_messages",
  columns: {
    seq: "integer",
    trace_id: "text",
    run_id: "text",
    run_trace_id: "text",
    session_id: "text",
    at: "integer",
  },
  key: ["seq"],
  indexes: { by_trace: { equals: ["trace_id"], order: ["seq"] } },
};
