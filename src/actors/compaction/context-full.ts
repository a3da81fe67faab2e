import type { RowReader } from "../../ports/store.ts";
import type { CallModelInput } from "../../schema/activities.ts";
import type { ContextSettings } from "../../schema/context-strategy.ts";
import { AgentError, type ErrorData } from "../../schema/errors.ts";
import { estimatedInput } from "../call-estimate.ts";

/** Where a conversation that has grown too long is not to be shortened: nothing is left out, and the person is told what to do. */

const whatToDo =
  "Nothing of it is lost. Begin another with /new, or `statehive sessions reset`; with `sessions.context_strategy: summarize` such a conversation goes on.";

/** @returns why the model is not asked, before it is */
export function contextFull(
  { strategy, maxTokens }: ContextSettings,
  read: RowReader,
  input: CallModelInput,
): ErrorData | undefined {
  if (strategy !== "error") return undefined;
  const tokens = estimatedInput(read, input, { beginning: () => 0, recalled: 0 });
  if (tokens <= maxTokens) return undefined;
  const message = `This conversation has about ${tokens} tokens, more than ${maxTokens} (\`sessions.max_context_tokens\`). ${whatToDo}`;
  return { code: "session.context_full", message, retryable: false };
}

/** The model's own refusal, in the same words. */
export function refusedAsFull({ strategy }: ContextSettings, thrown: unknown): unknown {
  if (strategy !== "error" || !(thrown instanceof AgentError)) return thrown;
  if (thrown.code !== "model.context_too_long") return thrown;
  const { usage } = thrown.details ?? {};
  const message = `This conversation is longer than the model takes. ${whatToDo}`;
  const billed = usage === undefined ? {} : { details: { usage } };
  return new AgentError("session.context_full", message, billed);
}
