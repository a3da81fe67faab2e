import type { InboundUpdate } from "./inbound.ts";
import type { JsonObject } from "./json.ts";
import type { ContentBlock, StopReason, Usage } from "./llm.ts";
import type { Lineage } from "./contexts/lineage.ts";
import type { Summarized } from "./contexts/session-context.ts";
import type { Trust } from "./contexts/trust.ts";
import type { ConsolidationPlan } from "./consolidation.ts";
import type { FileChange, MemoryChangeKind, MemoryHit } from "./memory.ts";
import type { ToolOutput } from "./tool.ts";

/** What goes into activities and what comes out of them. */

export type CallModelInput = Pick<Lineage, "session_id" | "agent_id" | "run_id"> & {
  readonly round: number;
};

export type CallModelOutput = {
  readonly content: readonly ContentBlock[];
  readonly stop_reason: StopReason;
  readonly usage: Usage;
  /** `provider/model` that answered. */
  readonly model: string;
  /** Only of the call for which memory was searched: the run's first. */
  readonly recalled?: Recalled;
};

/** What the model was reminded of, and what that adds to what the run knows. */
export type Recalled = { readonly hits: readonly MemoryHit[]; readonly brings: Trust };

export type ExecuteToolInput = Pick<
  Lineage,
  "agent_id" | "session_address" | "run_id" | "task_id"
> & {
  readonly step_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Absent from calls that began before it was known. */
  readonly trust?: Trust;
  readonly binding: string;
  /** A person allowed exactly this call; what else may run is judged again. */
  readonly approved: boolean;
};

export type ExecuteToolOutput = ToolOutput & {
  /** What the files that were read, and what was found in memory, add to what the tool itself says of its result. */
  readonly brings?: Trust;
};

/** Of the session's messages before `until`, those that no summary tells of yet; the oldest first, as many as are read at once. */
export type SummarizeHistoryInput = Pick<Lineage, "session_id" | "session_address" | "agent_id"> & {
  readonly until: number;
  /** What that may use at most. */
  readonly tokens: number;
};

export type SummarizeHistoryOutput = Summarized & {
  readonly usage: Usage;
  /** `provider/model` that answered. */
  readonly model: string;
};

export type SummarizeSessionInput = Pick<Lineage, "session_id" | "session_address" | "agent_id">;

/** `text` is null where the model found nothing worth keeping. */
export type SummarizeSessionOutput = {
  readonly text: string | null;
  readonly usage: Usage;
  readonly model: string;
};

/** The account's own id and name: `8123456`, `statehive_bot`. */
export type ChannelIdentity = { readonly id: string; readonly name: string };

/** `cursor` is what the next receiving begins after; it confirms these. */
export type ReceivedUpdates = {
  readonly updates: readonly InboundUpdate[];
  readonly cursor: string | null;
};

export type OpenChannelInput = { readonly connector_id: string };

export type ReceiveUpdatesInput = {
  readonly connector_id: string;
  readonly cursor: string | null;
};

export type DeliverPartInput = {
  readonly delivery_id: string;
  readonly connector_id: string;
  /** Counted from 0. */
  readonly part: number;
  /** The message of ours that this part replaces; null: it is a new one. */
  readonly edits: string | null;
};

/** `message_id` is null where there was nothing to say any more. */
export type DeliverPartOutput = { readonly message_id: string | null; readonly parts: number };

export type FetchFileInput = {
  readonly connector_id: string;
  readonly agent_id: string;
  readonly file_id: string;
  /** Where it is kept, below the agent's workspace. */
  readonly path: string;
  readonly max_bytes: number;
};

/** `media_type` is what the channel says; null: nothing. */
export type FetchFileOutput = { readonly bytes: number; readonly media_type: string | null };

/** Changes files of memory, in the order given; done again under the same key it does nothing twice. */
export type ChangeMemoryInput = {
  /** Or the name under which they are staged: forgetting has to reach their text, and it reaches no event. */
  readonly changes: readonly FileChange[] | string;
  readonly kind: MemoryChangeKind;
  /** `agent:main`, `user:1001`, `editor`, `cli`, `schedule:consolidate`. */
  readonly by: string;
  readonly reason: string;
  readonly session_id: string | null;
};

/** One file that is different now. `before` and `after` name kept versions by their hash; null: there was, or is, no file. */
export type ChangedFile = {
  readonly path: string;
  readonly partition: string;
  /** `edit`: what somebody else had done to it, seen before the change itself. */
  readonly kind: MemoryChangeKind;
  readonly before: string | null;
  readonly after: string | null;
  /** Of the file afterwards; 0: there is none. */
  readonly bytes: number;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
};

export type ChangeMemoryOutput = {
  /** In the order in which they were changed; one that held all that already is not named. */
  readonly changed: readonly ChangedFile[];
  /** Kept versions that stand under another hash now, since something in them was forgotten; null: they are gone. */
  readonly rewritten: readonly { readonly from: string; readonly to: string | null }[];
  /** Where something was forgotten. */
  readonly recalls?: ForgottenRecalls;
  readonly tasks?: ForgottenTasks;
};

/** What runs may still be reminded of: the hits of these rows that stay, by their place. Rows newer than `until` were not looked at. */
export type ForgottenRecalls = {
  readonly rows: readonly { readonly run_id: string; readonly kept: readonly number[] }[];
  readonly until: number;
};

/** Runs whose tasks are not to be found any more. Those after `until`, in the order in which they began, were not looked at. */
export type ForgottenTasks = { readonly run_ids: readonly string[]; readonly until: number };

export type SurveyMemoryInput = {
  readonly partition: string;
  readonly at: number;
  /** Also what got no usable answer before. */
  readonly asks_again: boolean;
};

/** What the rules alone make of a partition, and what a model would have to be asked. */
export type SurveyMemoryOutput = {
  readonly plan: ConsolidationPlan;
  /** Of the question at most; null: there is nothing to ask, or nobody. */
  readonly question_tokens: number | null;
  /** Tells the question from others; null as above. */
  readonly question_mark: string | null;
};

export type ProposeConsolidationInput = {
  readonly partition: string;
  readonly at: number;
  readonly question_tokens: number;
};

export type ProposeConsolidationOutput = {
  /** With what of the model's proposal is done. */
  readonly plan: ConsolidationPlan;
  /** The answer was a proposal, whatever becomes of it. */
  readonly is_usable: boolean;
  readonly model: string;
  readonly usage: Usage;
};
