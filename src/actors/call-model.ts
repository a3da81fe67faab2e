import type { ActivityContext, ActivityKind } from "../engine/activity-kind.ts";
import type { CommittedReader } from "../ports/store.ts";
import { toMessages } from "../prompt/history.ts";
import type { CallModelInput, CallModelOutput } from "../schema/activities.ts";
import { refuseHostileKeys } from "../policy/json-input.ts";
import { AgentError, toErrorData } from "../schema/errors.ts";
import { type LlmResponse, llmResponse, type ToolUseBlock, type Usage } from "../schema/llm.ts";
import { type Message, messageTable } from "../schema/rows.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Agent, Agents } from "./agent.ts";

/** The activity that asks a model: what it sees is read from committed rows, what it says comes back as one result. */

export type CallModelOptions = {
  readonly agents: Agents;
  readonly tools: ToolRegistry;
  readonly read: () => CommittedReader;
  readonly historyMessages: number;
  readonly maxConcurrent: number;
};

const mostCallsInOneAnswer = 32;

export function createCallModel(
  options: CallModelOptions,
): ActivityKind<CallModelInput, CallModelOutput> {
  return {
    recovery: "repeat",
    maxConcurrent: options.maxConcurrent,
    retry: { attempts: 4, backoffMs: 1_000, maxBackoffMs: 30_000 },
    run: (context) => callModel(options, context),
  };
}

async function callModel(
  options: CallModelOptions,
  { input, key, signal, notify }: ActivityContext<CallModelInput>,
): Promise<CallModelOutput> {
  const agent = agentOf(options.agents, input.agent_id);
  const rows = await historyOf(options, input);
  const { provider, model } = agent.model();
  const request = {
    model,
    system: agent.systemPrompt,
    messages: toMessages(rows, input.run_id),
    tools: provider.supportsTools ? options.tools.offered(agent.policy.allow) : [],
    max_tokens: agent.maxTokens,
    ...(agent.thinkingBudget > 0 ? { thinking_budget: agent.thinkingBudget } : {}),
  };
  const response = await provider.complete(request, {
    signal,
    idempotencyKey: key,
    onDelta: ({ type, text }) => notify({ type: `${type}.delta`, text }),
  });
  const { content, stop_reason } = checked(provider.id, response);
  return {
    content,
    stop_reason,
    usage: usageOf(response),
    model: `${provider.id}/${model}`,
  };
}

function usageOf(response: LlmResponse): Usage {
  const { input_tokens, output_tokens, cache_read_tokens = 0, cache_write_tokens = 0 } = response;
  return { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens };
}

function agentOf(agents: Agents, id: string): Agent {
  const agent = agents.get(id);
  if (agent?.enabled === true) return agent;
  throw new AgentError("config.invalid", `The agent ${id} is not configured or is disabled.`);
}

/** Providers are not all ours: what the machines and the tools rely on is looked at once more. */
function checked(provider: string, response: LlmResponse): LlmResponse {
  if (!llmResponse.safeParse(response).success)
    throw badAnswer(`The answer of ${provider} does not have the shape of an answer.`);
  const calls = response.content.filter((block) => block.type === "tool_use");
  if (calls.length > mostCallsInOneAnswer) {
    throw badAnswer(
      `The model asked for ${calls.length} tool calls at once; ${mostCallsInOneAnswer} are allowed.`,
    );
  }
  if (new Set(calls.map(({ id }) => id)).size !== calls.length)
    throw badAnswer("The model used one id for two tool calls.");
  for (const call of calls) checkInput(call);
  return response;
}

function checkInput({ name, input }: ToolUseBlock): void {
  try {
    refuseHostileKeys(input);
  } catch (thrown) {
    const { message } = toErrorData(thrown);
    throw badAnswer(`The input of the model's call to ${name} is refused: ${message}`);
  }
}

function badAnswer(message: string): AgentError {
  return new AgentError("model.bad_response", message);
}

/** The newest messages, and at least everything that the present run has said. */
async function historyOf(
  options: CallModelOptions,
  { session_id, run_id }: CallModelInput,
): Promise<Message[]> {
  const rows: Message[] = [];
  for (;;) {
    const oldest = rows.at(-1);
    const page = await options.read().select(messageTable, {
      index: "by_session",
      equals: [session_id],
      descending: true,
      limit: options.historyMessages,
      ...(oldest === undefined ? {} : { before: oldest.position }),
    });
    rows.push(...page);
    const last = page.at(-1);
    if (page.length < options.historyMessages || last?.run_id !== run_id) break;
  }
  return rows
    .filter(({ run_id: id }, index) => index < options.historyMessages || id === run_id)
    .toReversed();
}
