import type { LlmRequest, ToolUseBlock } from "../../../schema/llm.ts";
import { checkToolUse } from "../tool-input.ts";
import { callId, readConversation, type Conversation } from "./conversation.ts";
import { understand } from "./intents.ts";
import type { Round, WantedCall } from "./script.ts";
import { tellRound } from "./telling.ts";

/** One answer of the offline model: either text or calls, found by running the wish's script over the rounds so far. */

export type Decision = { readonly text: string; readonly calls: readonly ToolUseBlock[] };

function isRoundOf(wanted: readonly WantedCall[], round: Round): boolean {
  return (
    wanted.length === round.length &&
    wanted.every((call, index) => call.tool === round[index]?.tool)
  );
}

function nextStep(
  { wish, rounds, past }: Conversation,
  offered: ReadonlySet<string>,
): string | readonly WantedCall[] {
  const script = understand(wish)({ offered, past: [...past] });
  let step = script.next([]);
  for (const round of rounds) {
    if (step.done === true || !isRoundOf(step.value, round)) return tellRound(round);
    step = script.next(round);
  }
  return step.value;
}

export function decide(request: LlmRequest): Decision {
  const conversation = readConversation(request.messages);
  const offered = new Set(request.tools.map((tool) => tool.name));
  const step = nextStep(conversation, offered);
  if (typeof step === "string") return { text: step, calls: [] };
  const missing = step.find((call) => !offered.has(call.tool));
  if (missing !== undefined) {
    return {
      text: `I would need the tool ${missing.tool} for that, and it is not offered to me here.`,
      calls: [],
    };
  }
  const calls = step.map(({ tool, input }, index) => {
    const id = callId(conversation.nextCall + index);
    return checkToolUse({ type: "tool_use", id, name: tool, input }, request.tools);
  });
  return { text: "", calls };
}
