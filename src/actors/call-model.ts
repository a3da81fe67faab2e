import type { ActivityContext, ActivityKind } from "../engine/activity-kind.ts";
import type { CommittedReader } from "../ports/store.ts";
import { toMessages } from "../prompt/history.ts";
import type { CallModelInput, CallModelOutput } from "../schema/activities.ts";
import { AgentError } from "../schema/errors.ts";
import type { LlmResponse } from "../schema/llm.ts";
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
  checkCalls(response);
  const { content, stop_reason, input_tokens, output_tokens } = response;
  return {
    content,
    stop_reason,
    usage: { input_tokens, output_tokens },
    model: `${provider.id}/${model}`,
  };
}

function agentOf(agents: Agents, id: string): Agent {
  const agent = agents.get(id);
  if (agent?.enabled === true) return agent;
  throw new AgentError("config.invalid", `The agent ${id} is not configured or is disabled.`);
}

function checkCalls({ content }: LlmResponse): void {
  const ids = content.filter((block) => block.type === "tool_use").map((block) => block.id);
  if (ids.length > mostCallsInOneAnswer) {
    const message = `The model asked for ${ids.length} tool calls at once; ${mostCallsInOneAnswer} are allowed.`;
    throw new AgentError("model.bad_response", message);
  }
  if (new Set(ids).size !== ids.length) {
    throw new AgentError("model.bad_response", "The model used one id for two tool calls.");
  }
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
    if (last === undefined || last.run_id !== run_id || last.role === "user") break;
  }
  return rows.toReversed();
}
