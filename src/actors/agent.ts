import type { AgentPolicy } from "../policy/verdict.ts";
import type { Files } from "../ports/files.ts";
import type { ModelProvider } from "../ports/model.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { RunLimits } from "../schema/contexts.ts";

/** One configured agent, with everything that its runs need. */
export type Agent = {
  readonly id: string;
  readonly enabled: boolean;
  readonly systemPrompt: string;
  readonly policy: AgentPolicy;
  readonly limits: RunLimits;
  readonly maxTokens: number;
  readonly thinkingBudget: number;
  readonly files: Files;
  readonly sandbox: Sandbox;
  /** Chosen anew for each call: a provider may come and go with its key.
   *  @throws AgentError model.not_found */
  model(): { readonly provider: ModelProvider; readonly model: string };
};

export type Agents = { get(id: string): Agent | undefined };
