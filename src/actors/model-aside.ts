import type { SettledAttempt, StartingAttempt } from "../engine/activities/activity-kind.ts";
import { limitsOf } from "../policy/budget.ts";
import { budgetQuestion } from "../policy/budget-words.ts";
import { refuseHostileKeys } from "../policy/json-input.ts";
import type { RowReader, RowWriter } from "../ports/store.ts";
import type { Amounts } from "../schema/budget.ts";
import { AgentError, type ErrorData } from "../schema/errors.ts";
import type { Json } from "../schema/json.ts";
import { type LlmResponse, llmResponse, text, textOf, type Usage } from "../schema/llm.ts";
import type { Agent, Agents } from "./agent.ts";
import { assumedOf, mostUse, reserve } from "./budget-gate.ts";
import { release } from "./budget-holds.ts";
import { type Costs, recordModelCall, type Spender, totalsOf } from "./usage-ledger.ts";

/** One question to an agent's model outside a run: no tools, text in, text out. It counts against the budgets of the session, the
 *  agent and the service; where it might not fit, nobody is asked and the caller goes on without an answer. */

type Store = RowReader & RowWriter;

export type AsideWork = {
  readonly agent_id: string;
  /** Null: no session asks. */
  readonly session_id: string | null;
  /** What the ledger keeps it under: `compaction/s12`. */
  readonly work_id: string;
};

/** What one attempt may use at most, whatever it asks. */
export type AsideSize = { readonly inputTokens: number; readonly maxTokens: number };

export type AsideQuestion = {
  readonly agent_id: string;
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
};

/** An activity that asks has `model` and `usage` in its output: that is what `settled` counts. */
export type AsideAnswer = {
  readonly text: string;
  /** The text ends where `maxTokens` did. */
  readonly isCut: boolean;
  readonly model: string;
  readonly usage: Usage;
};

export type ModelAside = {
  /** The agent is there, and its model is one that can sum up. */
  canAnswer(agentId: string): boolean;
  /** `provider/model` that would be asked; undefined: none can answer. */
  modelFor(agentId: string): string | undefined;
  /** For an activity's `admit`: `budget.exceeded`, or the error that `ask` would have. */
  admit(
    store: Store,
    asked: AsideWork & AsideSize,
    attempt: Pick<StartingAttempt, "key" | "at">,
  ): ErrorData | undefined;
  /** For an activity's `settled`. */
  settled(store: Store, attempt: SettledAttempt<unknown>, work: AsideWork): void;
  /** @throws AgentError as the provider's; `model.rules_only`, `model.refused`, `agent.not_found`, `agent.disabled` */
  ask(
    question: AsideQuestion,
    call: { readonly signal: AbortSignal; readonly key: string },
  ): Promise<AsideAnswer>;
};

export type ModelAsideOptions = {
  readonly agents: Agents;
  readonly costOf: Costs;
  /** What the whole service may use in a day. */
  readonly dayBudget: () => Amounts;
  readonly redact: <T extends Json>(value: T) => T;
};

export function createModelAside(options: ModelAsideOptions): ModelAside {
  const { agents, costOf, dayBudget, redact } = options;
  return {
    canAnswer: (agentId) => modelFor(agents, agentId) !== undefined,
    modelFor: (agentId) => modelFor(agents, agentId),
    admit(store, { inputTokens, maxTokens, ...work }, { key, at }) {
      const found = answeringOrFault(agents, work.agent_id);
      if ("code" in found) return found;
      const { agent, name: model } = found;
      const limits = limitsOf(agent.budget, dayBudget(), totalsOf(spender(work), at)).filter(
        ({ scope }) => scope !== "run" && (scope !== "session" || work.session_id !== null),
      );
      if (limits.length === 0) return undefined;
      const size = { model, input_tokens: inputTokens, output_tokens: maxTokens };
      const call = mostUse(costOf, size);
      const over = reserve(store, { limits, call, key, mayBeUnpriced: false });
      if (over === undefined) return undefined;
      const { summary: message } = budgetQuestion(over);
      return { code: "budget.exceeded", message, retryable: false, details: { over } };
    },
    settled(store, attempt, work) {
      const held = release(store, attempt.key);
      const assumed = attempt.isLost ? assumedOf(held) : undefined;
      const input = { ...spender(work), round: 0 };
      recordModelCall(store, { ...attempt, input }, { costOf, assumed });
    },
    async ask({ agent_id, system, prompt, maxTokens }, { signal, key }) {
      const { provider, model, name } = answering(agents, agent_id);
      const request = {
        model,
        system: redact(system),
        messages: [text("user", redact(prompt))],
        tools: [],
        max_tokens: maxTokens,
      };
      try {
        const response = await provider.complete(request, { signal, idempotencyKey: key });
        return answerOf(name, response);
      } catch (thrown) {
        throw thrown instanceof AgentError ? thrown.withDetails({ model: name }) : thrown;
      }
    },
  };
}

function spender({ agent_id, session_id, work_id }: AsideWork): Spender {
  return { agent_id, session_id: session_id ?? "", run_id: work_id };
}

type Answering = ReturnType<Agent["model"]> & { readonly agent: Agent; readonly name: string };

/** @throws AgentError */
function answering(agents: Agents, id: string): Answering {
  const agent = agents.get(id);
  if (agent === undefined)
    throw new AgentError("agent.not_found", `The agent ${id} is not configured any more.`);
  if (!agent.enabled) throw new AgentError("agent.disabled", `The agent ${id} is disabled.`);
  const { provider, model } = agent.model();
  const name = `${provider.id}/${model}`;
  if (provider.followsRules === true)
    throw new AgentError("model.rules_only", `${name} follows rules: it sums up nothing.`);
  return { agent, provider, model, name };
}

function answeringOrFault(agents: Agents, id: string): Answering | ErrorData {
  try {
    return answering(agents, id);
  } catch (thrown) {
    if (thrown instanceof AgentError) return thrown.toData();
    throw thrown;
  }
}

function modelFor(agents: Agents, id: string): string | undefined {
  const found = answeringOrFault(agents, id);
  return "code" in found ? undefined : found.name;
}

/** Providers are not all ours. */
function answerOf(model: string, response: LlmResponse): AsideAnswer {
  if (isHostile(response) || !llmResponse.safeParse(response).success) {
    const message = `The answer of ${model} does not have the shape of an answer.`;
    throw new AgentError("model.bad_response", message);
  }
  const { content, stop_reason, input_tokens, output_tokens } = response;
  const { cache_read_tokens = 0, cache_write_tokens = 0 } = response;
  const usage = { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens };
  if (stop_reason === "refusal")
    throw new AgentError("model.refused", `${model} declined to answer.`, { details: { usage } });
  return { text: textOf(content), isCut: stop_reason === "max_tokens", model, usage };
}

/** Comes before the shape, whose check would follow any depth. */
function isHostile(response: LlmResponse): boolean {
  try {
    refuseHostileKeys(response);
    return false;
  } catch {
    return true;
  }
}
