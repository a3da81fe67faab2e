import type { ActivityContext, ActivityKind } from "../engine/activities/activity-kind.ts";
import type { CommittedReader } from "../ports/store.ts";
import { toMessages } from "../prompt/history.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import { tooLongFor } from "./too-long.ts";
import { createSpeech } from "./speech.ts";
import { assumedOf, type BudgetGateOptions, createBudgetGate } from "./budget-gate.ts";
import { contextFull, refusedAsFull } from "./compaction/context-full.ts";
import { release } from "./budget-holds.ts";
import { recordModelCall } from "./usage-ledger.ts";
import type { ContextSettings } from "../schema/context-strategy.ts";
import type { CallModelInput, CallModelOutput } from "../schema/activities.ts";
import { refuseHostileKeys } from "../policy/json-input.ts";
import type { RedactedStream } from "../policy/stream-redaction.ts";
import { AgentError, toErrorData } from "../schema/errors.ts";
import { type LlmResponse, llmResponse, type ToolDef, type Usage } from "../schema/llm.ts";
import { committedAgentOfRun } from "./agent-of-run.ts";
import { reminded } from "./memory/using/recall.ts";
import { recordRecall } from "./memory/using/record-recall.ts";
import { shownRecall } from "./memory/using/shown-recall.ts";

/** The activity that asks a model: what it sees is read from committed rows, what it says comes back as one result. */

export type CallModelOptions = BudgetGateOptions & {
  readonly read: () => CommittedReader;
  readonly historyMessages: () => number;
  readonly context: () => ContextSettings;
  readonly maxConcurrent: () => number;
  /** For what is told while the model still speaks; what it said is redacted whole as it settles. */
  readonly redactStream: () => RedactedStream;
};

const mostCallsInOneAnswer = 32;

export function createCallModel(
  options: CallModelOptions,
): ActivityKind<CallModelInput, CallModelOutput> {
  const admitByBudget = createBudgetGate(options);
  return {
    recovery: "repeat",
    get maxConcurrent() {
      return options.maxConcurrent();
    },
    retry: { attempts: 4, backoffMs: 1_000, maxBackoffMs: 30_000 },
    admit: (store, input, attempt) =>
      contextFull(options.context(), store, input) ?? admitByBudget(store, input, attempt),
    settled: (store, attempt) => {
      const held = release(store, attempt.key);
      const assumed = attempt.isLost ? assumedOf(held) : undefined;
      recordModelCall(store, attempt, { costOf: options.costOf, assumed });
      recordRecall(store, attempt);
    },
    run: (context) => callModel(options, context),
  };
}

async function callModel(
  options: CallModelOptions,
  { input, key, signal, notify }: ActivityContext<CallModelInput>,
): Promise<CallModelOutput> {
  const { session_id } = input;
  const read = options.read();
  const agentOfRun = await committedAgentOfRun(options.agents, read, input);
  const { pinned: agent, run } = agentOfRun;
  const asked = { session_id, run };
  const conversation = await readConversation(read, asked, options.historyMessages());
  const rows = [...conversation.kept, ...conversation.rows];
  const { hits, recalled } = await reminded(options.recall, read, {
    agent: agentOfRun,
    rows,
    signal,
  });
  const { provider, model } = agent.model();
  const name = `${provider.id}/${model}`;
  const request = {
    model,
    system: agent.systemPrompt,
    messages: messagesOf(conversation, input.run_id, shownRecall(hits)),
    tools: provider.supportsTools ? options.tools.offered(agent.policy.allow) : [],
    max_tokens: agent.maxTokens,
    ...(agent.thinkingBudget > 0 ? { thinking_budget: agent.thinkingBudget } : {}),
  };
  const speech = createSpeech(options.redactStream, notify);
  try {
    const response = await provider.complete(request, {
      signal,
      idempotencyKey: key,
      onDelta: speech.hear,
    });
    speech.end();
    const { content, stop_reason } = checked(provider.id, response, request.tools);
    const answer = { content, stop_reason, usage: usageOf(response), model: name };
    return recalled === undefined ? answer : { ...answer, recalled };
  } catch (thrown) {
    const refused = refusedAsFull(options.context(), thrown);
    throw billedTo(name, tooLongFor(name, refused, { conversation, run_id: input.run_id }));
  }
}

function messagesOf(
  { kept, rows, ...shown }: Conversation,
  currentRun: string,
  recalled: string | undefined,
) {
  return toMessages([...kept, ...rows], { currentRun, recalled, ...shown });
}

/** What a failed attempt had used is used all the same. */
function billedTo(model: string, thrown: unknown): unknown {
  if (!(thrown instanceof AgentError) || thrown.details?.["usage"] === undefined) return thrown;
  return thrown.withDetails({ model });
}

function usageOf(response: LlmResponse): Usage {
  const { input_tokens, output_tokens, cache_read_tokens = 0, cache_write_tokens = 0 } = response;
  return { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens };
}

/** Providers are not all ours: what the machines and the tools rely on is looked at once more. */
function checked(
  provider: string,
  response: LlmResponse,
  offered: readonly ToolDef[],
): LlmResponse {
  refuseHostile(response, `The answer of ${provider}`);
  if (!llmResponse.safeParse(response).success)
    throw badAnswer(`The answer of ${provider} does not have the shape of an answer.`);
  try {
    checkCalls(response, offered);
  } catch (thrown) {
    throw thrown instanceof AgentError ? thrown.withDetails({ usage: usageOf(response) }) : thrown;
  }
  return response;
}

function checkCalls(response: LlmResponse, offered: readonly ToolDef[]): void {
  const calls = response.content.filter((block) => block.type === "tool_use");
  if (calls.length > 0 && offered.length === 0)
    throw badAnswer("The model called a tool although it was offered none.");
  if (calls.length > mostCallsInOneAnswer) {
    throw badAnswer(
      `The model asked for ${calls.length} tool calls at once; ${mostCallsInOneAnswer} are allowed.`,
    );
  }
  if (new Set(calls.map(({ id }) => id)).size !== calls.length)
    throw badAnswer("The model used one id for two tool calls.");
}

/** Comes before the shape, whose check would follow any depth. */
function refuseHostile(response: LlmResponse, what: string): void {
  try {
    refuseHostileKeys(response);
  } catch (thrown) {
    throw badAnswer(`${what} is refused: ${toErrorData(thrown).message}`);
  }
}

function badAnswer(message: string): AgentError {
  return new AgentError("model.bad_response", message);
}
