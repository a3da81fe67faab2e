import type { ErrorData } from "../errors.ts";
import type { Table } from "./table.ts";

/** Rows of what comes in and goes out over channels. Times are milliseconds. */

/** An update that was taken or refused: the same one again is known by it. */
export type ConnectorUpdate = {
  connector_id: string;
  update_id: string;
  trace_id: string;
  /** The conversation, and what a person says in it; null where the update has none. */
  scope: string | null;
  message_id: string | null;
  user_scope: string | null;
  at: number;
  /** `accepted`, or why it was refused: `not_allowed`, `rate_limited`, … */
  verdict: string;
};

export const connectorUpdateTable: Table<ConnectorUpdate> = {
  name: "connector_updates",
  columns: {
    connector_id: "text",
    update_id: "text",
    trace_id: "text",
    scope: "text",
    message_id: "text",
    user_scope: "text",
    at: "integer",
    verdict: "text",
  },
  key: ["connector_id", "update_id"],
  indexes: {
    by_at: { equals: [], order: ["at"] },
    by_trace: { equals: ["trace_id"], order: ["at"] },
    by_message: { equals: ["connector_id", "scope", "message_id"], order: ["at"] },
  },
};

/** A token bucket: of a user (`tg_main/1001`, and `tg_main/1001/urgent` for taps and stops), of all strangers of a connector
 *  (`tg_main/?`), of all users (`*`). One of a stranger (`tg_main/?/5`) holds nothing and only counts. */
export type RateBucket = {
  owner: string;
  tokens: number;
  /** When `tokens` was right. */
  at: number;
  /** Refusals since `told_at`. */
  refused: number;
  /** When its owner was last told that it is empty, or the audit that somebody is refused. */
  told_at: number | null;
};

export const rateBucketTable: Table<RateBucket> = {
  name: "rate_buckets",
  columns: { owner: "text", tokens: "real", at: "integer", refused: "integer", told_at: "integer" },
  key: ["owner"],
  indexes: { by_at: { equals: [], order: ["at"] } },
};

/** A person who asked to be let in, or was. */
export type Pairing = {
  connector_id: string;
  user_scope: string;
  /** What the channel calls the person; proves nothing. */
  name: string;
  /** The private conversation that is told. */
  scope: string;
  code: string;
  state: "open" | "approved" | "revoked";
  created_at: number;
  /** Of an open one. */
  expires_at: number;
  decided_at: number | null;
  decided_by: string | null;
};

export const pairingTable: Table<Pairing> = {
  name: "pairings",
  columns: {
    connector_id: "text",
    user_scope: "text",
    name: "text",
    scope: "text",
    code: "text",
    state: "text",
    created_at: "integer",
    expires_at: "integer",
    decided_at: "integer",
    decided_by: "text",
  },
  key: ["connector_id", "user_scope"],
  indexes: {
    by_code: { equals: ["code"], order: ["created_at"] },
    by_state: { equals: ["connector_id", "state"], order: ["created_at"] },
    by_created: { equals: [], order: ["created_at"] },
    by_age: { equals: ["state"], order: ["created_at"] },
  },
};

/** The agent that a person chose for a conversation, of those that the connector offers. */
export type ChosenAgent = {
  connector_id: string;
  scope: string;
  user_scope: string;
  agent_id: string;
  at: number;
};

export const chosenAgentTable: Table<ChosenAgent> = {
  name: "chosen_agents",
  columns: {
    connector_id: "text",
    scope: "text",
    user_scope: "text",
    agent_id: "text",
    at: "integer",
  },
  key: ["connector_id", "scope", "user_scope"],
  indexes: {},
};

export const deliveryStates = ["pending", "sending", "delivered", "unknown", "dead"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** `reply`: what the run `about` answers. `question`: the approval `about`, with its buttons. `outcome`: how it ended, in place of the
 *  question. `notice`: `text`. */
export const deliveryKinds = ["reply", "question", "outcome", "notice"] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** One message of ours on its way to a conversation, in as many parts as the channel needs. */
export type DeliveryRow = {
  delivery_id: string;
  /** The step that made it: in a conversation they go out in this order. */
  seq: number;
  address: string;
  connector_id: string;
  scope: string;
  kind: DeliveryKind;
  /** The run or the approval that it tells of. */
  about: string | null;
  text: string | null;
  /** The message of the person that it answers. */
  reply_to: string | null;
  /** The message of ours that it replaces. */
  edits: string | null;
  state: DeliveryState;
  /** 1 until it has ended. */
  open: 0 | 1;
  /** Of the parts that arrived. */
  message_ids: readonly string[];
  attempts: number;
  error: ErrorData | null;
  /** The delivery that it repeats. */
  resends: string | null;
  /** The delivery that repeats it. */
  resent_as: string | null;
  trace_id: string;
  created_at: number;
  ended_at: number | null;
};

export const deliveryTable: Table<DeliveryRow> = {
  name: "deliveries",
  columns: {
    delivery_id: "text",
    seq: "integer",
    address: "text",
    connector_id: "text",
    scope: "text",
    kind: "text",
    about: "text",
    text: "text",
    reply_to: "text",
    edits: "text",
    state: "text",
    open: "integer",
    message_ids: "json",
    attempts: "integer",
    error: "json",
    resends: "text",
    resent_as: "text",
    trace_id: "text",
    created_at: "integer",
    ended_at: "integer",
  },
  key: ["delivery_id"],
  indexes: {
    by_lane: { equals: ["connector_id", "scope", "open"], order: ["seq"] },
    by_about: { equals: ["about"], order: ["seq"] },
    by_state: { equals: ["state"], order: ["seq"] },
    by_seq: { equals: [], order: ["seq"] },
    by_age: { equals: ["open"], order: ["created_at"] },
  },
};

/** A message of ours that shows what a run has written so far; the reply takes its place. */
export type Preview = {
  run_id: string;
  connector_id: string;
  scope: string;
  message_id: string;
  at: number;
};

export const previewTable: Table<Preview> = {
  name: "previews",
  columns: {
    run_id: "text",
    connector_id: "text",
    scope: "text",
    message_id: "text",
    at: "integer",
  },
  key: ["run_id"],
  indexes: { by_at: { equals: [], order: ["at"] } },
};

/** Whose files are being fetched, where: what this person says there meanwhile waits behind them. */
export type OpenFetch = {
  /** The actor that fetches. */
  address: string;
  connector_id: string;
  scope: string;
  user_scope: string;
  at: number;
};

export const openFetchTable: Table<OpenFetch> = {
  name: "open_fetches",
  columns: {
    address: "text",
    connector_id: "text",
    scope: "text",
    user_scope: "text",
    at: "integer",
  },
  key: ["address"],
  indexes: {
    by_owner: { equals: ["address"], order: ["at"] },
    by_person: { equals: ["connector_id", "scope", "user_scope"], order: ["at"] },
  },
  owner: "address",
};
