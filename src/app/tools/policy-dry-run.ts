import { nearest } from "../../config/nearest.ts";
import { type AgentPolicy, type Verdict, verdict } from "../../policy/verdict.ts";
import type { AgentConfig } from "../../schema/config.ts";
import { isToolToCome } from "../../schema/config-tools.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Capability, RiskClass } from "../../schema/tool.ts";
import { builtInTools } from "../../tools/built-in.ts";
import type { Tool } from "../../tools/tool.ts";

/** What the policy would say, without anybody calling anything. What a person granted to a session does not count here. */

export type Explanation = {
  readonly verdict: Verdict["verdict"];
  readonly risk: RiskClass;
  readonly reason: string;
  readonly capabilities: readonly Capability[];
  /** Whether a person could allow more of this than the one call. */
  readonly grantable: boolean;
  readonly proposed_grants: readonly string[];
  /** What a person is asked instead of running anything; null for a tool that does something. */
  readonly question: string | null;
};

/** @throws AgentError tool.not_found, tool.invalid_input */
export function explainCall(agent: AgentConfig, toolName: string, input: unknown): Explanation {
  const tool = toolCalled(toolName);
  const validated = tool.validate(input);
  if (!validated.ok) {
    throw new AgentError("tool.invalid_input", validated.message, {
      hint: "docs/tools.md says what each tool takes; so does `statehive tools list --json`",
    });
  }
  const capabilities = tool.capabilities(validated.input);
  const judged = judge(agent, { tool, capabilities });
  const { risk, reason, proposed_grants } = judged;
  const grantable = proposed_grants.length > 0;
  const question = tool.asks?.(validated.input).question ?? null;
  return {
    verdict: judged.verdict,
    risk,
    reason,
    capabilities,
    grantable,
    proposed_grants,
    question,
  };
}

type Asked = {
  readonly tool: Pick<Tool, "name" | "risk">;
  readonly capabilities: readonly Capability[];
};

/** The verdict of an agent's rules alone, without any grant of a person. */
export function judge(
  { tools, capabilities: own }: AgentConfig,
  { tool, capabilities }: Asked,
): Verdict {
  const policy: AgentPolicy = { ...own, ...tools };
  return verdict({ tool, capabilities, agent: policy, grants: [] });
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
