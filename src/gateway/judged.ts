import type { Routing } from "../policy/routing.ts";
import type { ConnectorUpdate, Pairing, RateBucket } from "../schema/rows/channel-rows.ts";
import type { InboundPlace, InboundUpdate, InboundWhat } from "../schema/inbound.ts";

/** What the gateway is told, and what it says of a batch of updates. */

/** How one channel lets people in. Ids are the channel's own, as text. */
export type Doorway = {
  readonly connector_id: string;
  readonly channel_type: string;
  /** They may write. */
  readonly allow_users: readonly string[];
  /** They may tap buttons; to write they must be among `allow_users` too. */
  readonly approvers: readonly string[];
  readonly groups: readonly string[];
  /** Whether a stranger who writes in private hears how to be let in; otherwise nothing. */
  readonly pairing: boolean;
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

/** What may reach an agent or a question. */
export type AdmittedWhat = Exclude<
  InboundWhat,
  { readonly kind: "moved" | "other" | "unreadable" }
>;

export type Admitted = {
  readonly place: InboundPlace;
  readonly conversation: "private" | "group";
  readonly what: AdmittedWhat;
};

/** What the gateway itself answers: a pairing code, a full bucket, a message without anything to read. */
export type GatewayWord = {
  readonly scope: string;
  readonly text: string;
  readonly reply_to: string | null;
  readonly trace_id: string;
};

/** `other` is known and of no concern to an agent; `not_addressed` was said in a group to others. Neither is a refusal. */
export type Verdict = "accepted" | "pairing" | "other" | "not_addressed" | RefusalReason;

export type RefusalReason =
  /** Not on the list, nor paired. */
  | "not_allowed"
  | "group_not_allowed"
  | "bot"
  /** Nobody said it: a channel post, an anonymous admin. */
  | "no_sender"
  | "unreadable"
  | "rate_limited"
  | "empty"
  | "too_long"
  /** The group goes on under this number, which is not listed. */
  | `group_moved: ${string}`
  /** A button of a question that has ended, and how. */
  | `late_answer: ${string}`
  /** A fault inside statehive met it. */
  | `fault: ${string}`;

/** For the audit: `count` updates since the last one of the same. */
export type Refusal = {
  /** `tg_main:1001`; of a group that is not listed the group, `tg_main:-100`; `tg_main:?` for strangers that were not noted one by one. */
  readonly by: string;
  readonly reason: RefusalReason;
  readonly count: number;
  readonly trace: string;
};

export type Judged = {
  /** Not judged: one of them, such as `/stop`, speaks of what went before it, which has to be handed on first. */
  readonly rest: readonly InboundUpdate[];
  readonly admitted: readonly Admitted[];
  readonly words: readonly GatewayWord[];
  /** Rows to put. What strangers and floods bring leaves no more of them than `per_user` allows; the rest is only counted. */
  readonly updates: readonly ConnectorUpdate[];
  readonly buckets: readonly RateBucket[];
  readonly pairings: readonly Pairing[];
  /** One for each stranger and hour, one for each flood and minute. */
  readonly refusals: readonly Refusal[];
};
