import type { LlmRequest, LlmResponse } from "../schema/llm.ts";

export type ModelDelta =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string };

export type ModelCall = {
  readonly signal: AbortSignal;
  /** Stable over retries of one call; sent to providers that honour one. */
  readonly idempotencyKey: string;
  /** Called synchronously, in order, before the response resolves; a delta is never repeated. */
  readonly onDelta?: (delta: ModelDelta) => void;
};

/** One provider of language models.
 *
 *  `complete` rejects with an AgentError and nothing else: `model.rate_limited` (with retryAfterMs where the provider
 *  says it), `model.overloaded`, `model.timeout`, `model.unreachable` (these four retryable), `model.auth`,
 *  `model.context_too_long`, `model.invalid_request`, `model.bad_response`, `activity.aborted` when `signal` fired.
 *  An error that came after the provider began to count has what it counted in `details.usage`; one for a prompt that is too
 *  long has `details.prompt_tokens` and `details.max_prompt_tokens` where the provider says them.
 *  It never retries by itself. Its text deltas concatenated are the text of the response. */
export type ModelProvider = {
  readonly id: string;
  /** Asked for where the configuration names no model. */
  readonly defaultModel: string;
  readonly supportsTools: boolean;
  /** Costs nothing, whatever it is asked. */
  readonly isFree?: boolean;
  /** Follows fixed rules: it can be told what to do, but sums up and judges nothing. */
  readonly followsRules?: boolean;
  complete(request: LlmRequest, call: ModelCall): Promise<LlmResponse>;
};
