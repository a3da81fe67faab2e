import type { AgentPolicy } from "../policy/verdict.ts";
import type { Files } from "../ports/files.ts";
import type { ModelProvider } from "../ports/model.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { AgentBudget } from "../schema/budget.ts";
import type { RunLimits } from "../schema/contexts/run-limits.ts";
import type { JsonObject } from "../schema/json.ts";
import type { MemorySource } from "../schema/memory.ts";

/** What one configuration says of an agent: all that a run is pinned to. */
export type AgentSettings = {
  readonly id: string;
  /** The configuration itself, prompts included, and the hash of its canonical text. */
  readonly config: JsonObject;
  readonly configHash: string;
  /** Absolute. */
  readonly workspace: string;
  readonly systemPrompt: string;
  readonly policy: AgentPolicy;
  readonly limits: RunLimits;
  readonly budget: AgentBudget;
  readonly maxTokens: number;
  readonly thinkingBudget: number;
  /** The memories that it reads, as far as its policy lets it. */
  readonly memoryRead: readonly MemorySource[];
  /** Chosen anew for each call: a provider may come and go with its key.
   *  @throws AgentError model.not_found */
  model(): { readonly provider: ModelProvider; readonly model: string };
};

/** An agent as it is configured now, with what its tools work in. */
export type Agent = AgentSettings & {
  readonly enabled: boolean;
  readonly files: Files;
  readonly sandbox: Sandbox;
};

export type Agents = {
  /** As configured now. */
  get(id: string): Agent | undefined;
  /** As an earlier configuration said; undefined for one that this code cannot read. */
  restore(config: JsonObject): AgentSettings | undefined;
};
