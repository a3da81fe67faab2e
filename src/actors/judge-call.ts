import { hashOf } from "../policy/canonical-json.ts";
import { type Verdict, verdict } from "../policy/verdict.ts";
import type { RowReader } from "../ports/store.ts";
import type { VerdictGiven } from "../schema/contexts.ts";
import type { JsonObject } from "../schema/json.ts";
import { grantTable } from "../schema/rows.ts";
import type { Circumstances, Tool } from "../tools/tool.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Agents } from "./agent.ts";

/** What is judged; the same words before a call is allowed and when its activity starts. */
export type JudgedCall = {
  readonly agent_id: string;
  readonly session_address: string;
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
};

export type Judge = (read: RowReader, call: JudgedCall) => VerdictGiven;

/** Decides on what is true in this very transaction: the agent's present policy and the grants that live now. */
export function createJudge(agents: Agents, tools: ToolRegistry): Judge {
  return (read, call) => {
    const agent = agents.get(call.agent_id);
    const tool = tools.get(call.tool);
    if (agent === undefined)
      return refusal(call, "deny", `The agent ${call.agent_id} is not configured any more.`);
    if (tool === undefined) {
      const known = tools.offered(agent.policy.allow).map(({ name }) => name);
      return refusal(
        call,
        "invalid",
        `tool.not_found: There is no tool ${call.tool}. There are: ${known.join(", ")}.`,
      );
    }
    const validated = tool.validate(call.input);
    if (!validated.ok) return refusal(call, "invalid", `tool.invalid_input: ${validated.message}`);
    const grants = read.select(grantTable, { index: "by_owner", equals: [call.session_address] });
    const capabilities = tool.capabilities(validated.input);
    const around = tool.circumstances?.(validated.input, agent);
    const mustAsk = around?.ok === true ? around.mustAsk : undefined;
    const judged = verdict({ tool, capabilities, agent: agent.policy, grants, mustAsk });
    if (around?.ok === false && judged.verdict !== "deny")
      return refusal(call, "invalid", around.reason);
    return worded(call, { tool, judged, around: around?.ok === true ? around : undefined });
  };
}

/** What an approval is bound to: exactly this call, and what else decides what it does. */
export function bindingOf(call: JudgedCall, bound?: JsonObject): string {
  const { agent_id, session_address, call_id, tool, input } = call;
  const asked = { agent_id, session_address, call_id, tool, input };
  return hashOf(bound === undefined ? asked : { ...asked, bound });
}

function refusal(call: JudgedCall, verdict_: "deny" | "invalid", reason: string): VerdictGiven {
  return {
    verdict: verdict_,
    risk: "unsafe",
    reason,
    summary: call.tool,
    requested: [],
    granted: [],
    proposed_grants: [],
    question: "",
    options: [],
    binding: "",
  };
}

type Judgement = {
  readonly tool: Tool;
  readonly judged: Verdict;
  readonly around: Extract<Circumstances, { readonly ok: true }> | undefined;
};

function worded(call: JudgedCall, { tool, judged, around }: Judgement): VerdictGiven {
  const question = judged.verdict === "run" ? tool.asks?.(call.input) : undefined;
  return {
    verdict: question === undefined ? judged.verdict : "question",
    risk: judged.risk,
    reason: judged.reason,
    summary: around?.summary ?? tool.summary(call.input),
    requested: [...judged.requested],
    granted: [...judged.granted],
    proposed_grants: [...judged.proposed_grants],
    question: question?.question ?? "",
    options: [...(question?.options ?? [])],
    binding: bindingOf(call, around?.bound),
  };
}
