import type { Routing } from "../policy/routing.ts";
import type { ConnectorUpdate, Pairing, RateBucket } from "../schema/channel-rows.ts";
import type { InboundUpdate, InboundWhat } from "../schema/inbound.ts";

/** What the gateway is told, and what it says of a batch of updates. */

/** How one channel lets people in. Ids are the channel's own, as text. */
export type Doorway = {
  readonly connector_id: string;
  readonly channel_type: string;
  readonly allow_users: readonly string[];
  readonly approvers: readonly string[];
  readonly groups: readonly string[];
  /** Those that a person may choose instead of the one that the routing leads to. */
  readonly agents: readonly string[];
};

/** `capacity` at once, `refill_per_minute` in the long run. */
export type RateLimit = { readonly capacity: number; readonly refill_per_minute: number };

export type GatewaySettings = {
  readonly doorway: Doorway;
  readonly per_user: RateLimit;
  readonly all: RateLimit;
  readonly routing: Routing;
};

export type Batch = { readonly updates: readonly InboundUpdate[]; readonly at: number };

/** The inbound shape: where it comes from, who says it, whom it is for. */
export type InboundPlace = {
  readonly channel_type: string;
  readonly connector_id: string;
  readonly conversation_scope: string;
  readonly user_scope: string;
  readonly trace_id: string;
  readonly agent_id: string;
};

/** `what` is never `other` or `unreadable`: of those nothing is admitted. */
export type Admitted = {
  readonly place: InboundPlace;
  readonly conversation: "private" | "group";
  readonly what: InboundWhat;
};

/** What the gateway itself answers: a pairing code, a full bucket. */
export type GatewayWord = {
  readonly scope: string;
  readonly text: string;
  readonly reply_to: string | null;
  readonly trace_id: string;
};

/** `refusals` are for the audit, bounded: strangers and floods leave one row each now and then, with a count. */
export type Judged = {
  readonly admitted: readonly Admitted[];
  readonly words: readonly GatewayWord[];
  readonly updates: readonly ConnectorUpdate[];
  readonly buckets: readonly RateBucket[];
  readonly pairings: readonly Pairing[];
  readonly refusals: readonly {
    readonly by: string;
    readonly reason: string;
    readonly count: number;
    readonly trace: string;
  }[];
};
