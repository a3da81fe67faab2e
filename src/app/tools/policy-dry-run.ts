import { type AgentPolicy, type Verdict, verdict } from "../../policy/verdict.ts";
import type { AgentConfig } from "../../schema/config.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ShownAudit } from "../../schema/protocol.ts";
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
};

/** @throws AgentError tool.not_found, tool.invalid_input */
export function explainCall(agent: AgentConfig, toolName: string, input: unknown): Explanation {
  const tool = toolCalled(toolName);
  const validated = tool.validate(input);
  if (!validated.ok) throw new AgentError("tool.invalid_input", validated.message);
  const capabilities = tool.capabilities(validated.input);
  const judged = judge(agent, { tool, capabilities });
  const { risk, reason, proposed_grants } = judged;
  const grantable = proposed_grants.length > 0;
  return { verdict: judged.verdict, risk, reason, capabilities, grantable, proposed_grants };
}

export type ReplayedCall = Pick<ShownAudit, "n" | "at" | "agent" | "run_id" | "tool" | "input"> & {
  readonly was: Verdict["verdict"];
  readonly becomes: Verdict["verdict"];
  readonly reason: string;
};

/** One decision of the past under another configuration of its agent; undefined for what the policy had no say in. */
export function judgeAgain(agent: AgentConfig, row: ShownAudit): ReplayedCall | undefined {
  const was = verdictOf(row);
  const tool = builtInTools.find(({ name }) => name === row.tool);
  if (was === undefined || tool === undefined || row.agent !== agent.id) return undefined;
  const judged = judge(agent, { tool, capabilities: row.requested_capabilities });
  const { n, at, run_id, input } = row;
  const call = { n, at, agent: row.agent, run_id, tool: row.tool, input };
  return { ...call, was, becomes: judged.verdict, reason: judged.reason };
}

/** What a person decided was asked; a call that was not understood was never judged, an answer that did not count decided nothing. */
function verdictOf({ kind, status, decided_by }: ShownAudit): Verdict["verdict"] | undefined {
  if (kind !== "decision" || ["invalid", "refused"].includes(status)) return undefined;
  if (decided_by !== "policy") return "ask";
  return status === "allowed" ? "run" : "deny";
}

type Asked = { readonly tool: Tool; readonly capabilities: readonly Capability[] };

function judge({ tools, capabilities: own }: AgentConfig, { tool, capabilities }: Asked): Verdict {
  const policy: AgentPolicy = { ...own, ...tools };
  return verdict({ tool, capabilities, agent: policy, grants: [] });
}

function toolCalled(name: string): Tool {
  const tool = builtInTools.find((each) => each.name === name);
  if (tool !== undefined) return tool;
  const known = builtInTools.map((each) => each.name).join(", ");
  throw new AgentError(
    "tool.not_found",
    `There is no tool ${JSON.stringify(name)}; there are: ${known}.`,
  );
}
