import { nearest } from "../../config/nearest.ts";
import { type Verdict, type VerdictInput, verdict } from "../../policy/verdict.ts";
import type { AgentConfig } from "../../schema/config/config.ts";
import { isToolToCome } from "../../schema/config/config-tools.ts";
import { AgentError } from "../../schema/errors.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { Capability, RiskClass } from "../../schema/tool.ts";
import { builtInTools } from "../../tools/built-in.ts";
import type { Circumstances, GrantTerms, Surroundings, Tool } from "../../tools/tool.ts";

/** What the policy would say, without anybody calling anything. What a person granted to a session does not count here. */

export type Explanation = {
  readonly verdict: Verdict["verdict"];
  readonly risk: RiskClass;
  readonly reason: string;
  readonly capabilities: readonly Capability[];
  /** Whether a person could allow more of this than the one call. */
  readonly grantable: boolean;
  readonly proposed_grants: readonly string[];
  /** What else a grant of these would be bound to, in words; empty: nothing. */
  readonly terms: string;
  /** What a person is asked instead of running anything; null for a tool that does something. */
  readonly question: string | null;
};

/** @param lookAround for a tool whose calls depend on more than their input
 *  @throws AgentError tool.not_found, tool.invalid_input */
export async function explainCall(
  agent: AgentConfig,
  call: { readonly tool: string; readonly input: unknown },
  lookAround: () => Promise<Surroundings>,
): Promise<Explanation> {
  const tool = toolCalled(call.tool);
  const input = validInput(tool, call.input);
  const capabilities = tool.capabilities(input);
  const around = tool.circumstances?.(input, await lookAround());
  const { terms = "" }: GrantTerms = around?.ok === true ? around : {};
  const judged = judgedHere(agent, { tool, capabilities }, around);
  const { verdict: word, risk, reason, proposed_grants } = judged;
  const grantable = proposed_grants.length > 0;
  return {
    verdict: word,
    risk,
    reason,
    capabilities,
    grantable,
    proposed_grants,
    terms: grantable ? terms : "",
    question: tool.asks?.(input).question ?? null,
  };
}

/** @throws AgentError tool.invalid_input */
function validInput(tool: Tool, given: unknown): JsonObject {
  const validated = tool.validate(given);
  if (validated.ok) return validated.input;
  throw new AgentError("tool.invalid_input", validated.message, {
    hint: "docs/tools.md says what each tool takes; so does `statehive tools list --json`",
  });
}

/** Nobody is asked about what cannot be run. */
function judgedHere(agent: AgentConfig, asked: Asked, around: Circumstances | undefined): Verdict {
  if (around?.ok === false) {
    const judged = judge(agent, asked);
    if (judged.verdict === "deny") return judged;
    return { ...judged, verdict: "deny", reason: around.reason, proposed_grants: [] };
  }
  const { mustAsk, pin, changed, onlyThisCall } = around ?? {};
  return judge(agent, { ...asked, mustAsk, pin, changed, onlyThisCall });
}

type Asked = Omit<VerdictInput, "agent" | "grants">;

/** The verdict of an agent's rules alone, without any grant of a person. */
export function judge({ tools, capabilities }: AgentConfig, asked: Asked): Verdict {
  return verdict({ ...asked, agent: { ...capabilities, ...tools }, grants: [] });
}

function toolCalled(name: string): Tool {
  const tool = builtInTools.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  const known = builtInTools.map((each) => each.name);
  const meant = nearest(name, known);
  const what = isToolToCome(name)
    ? `This version does not have the tool ${name} yet`
    : `There is no tool ${JSON.stringify(name)}`;
  const isTypingError = meant !== undefined && !isToolToCome(name);
  throw new AgentError(
    "tool.not_found",
    `${what}; there are: ${known.join(", ")}.`,
    isTypingError ? { hint: `did you mean ${meant}?` } : {},
  );
}
