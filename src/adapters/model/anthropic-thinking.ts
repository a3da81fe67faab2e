import type Anthropic from "@anthropic-ai/sdk";
import type { LlmRequest } from "../../schema/llm.ts";

/** How each generation of Claude is told to think, or not to. Source: docs/decisions/0013-model-calls.md */

type Wire = Pick<Anthropic.MessageCreateParams, "max_tokens" | "thinking">;
type Messages = readonly Anthropic.MessageParam[];

const minThinkingBudget = 1024;

/** Models that think unless they are told not to, with the least that each accepts. Others think only when they are asked,
 *  or always. */
const quietest: Readonly<Record<string, Anthropic.ThinkingConfigParam>> = {
  "claude-sonnet-5-5": { type: "between_tools" },
  "claude-sonnet-5": { type: "disabled" },
  "claude-opus-5": { type: "disabled" },
  "claude-haiku-5-5": { type: "disabled" },
};

export function thinkingOf(request: LlmRequest, messages: Messages): Wire {
  const { model, max_tokens, thinking_budget } = request;
  if (!thinking_budget) {
    const quiet = quietest[model];
    return quiet === undefined ? { max_tokens } : { max_tokens, thinking: quiet };
  }
  if (decidesItself(model)) {
    return { max_tokens: max_tokens + thinking_budget, thinking: { type: "adaptive" } };
  }
  if (continuesWithoutThought(messages)) return { max_tokens };
  const budget = Math.max(minThinkingBudget, thinking_budget);
  const room = max_tokens > budget ? max_tokens : budget + max_tokens;
  return { max_tokens: room, thinking: { type: "enabled", budget_tokens: budget } };
}

/** From 4.6 on Claude decides how much to think; from 4.7 on it refuses a budget. */
function decidesItself(model: string): boolean {
  const [, major = "0", minor = "0"] =
    /^claude-[a-z]+-(\d+)(?:-(\d{1,2}))?(?:-|$)/.exec(model) ?? [];
  return Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 6);
}

/** A budget is refused where the turn that goes on did not begin with a thought. */
function continuesWithoutThought(messages: Messages): boolean {
  const content = messages.findLast(({ role }) => role === "assistant")?.content;
  if (content === undefined || typeof content === "string") return false;
  const isThought = content[0]?.type === "thinking" || content[0]?.type === "redacted_thinking";
  return !isThought && content.some(({ type }) => type === "tool_use");
}
