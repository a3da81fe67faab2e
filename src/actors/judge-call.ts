import { bindingOf } from "../policy/call-binding.ts";
import { withOrigins } from "../policy/origins.ts";
import { stricter } from "../policy/stricter.ts";
import { carriesTooMuch, lastsTooLong } from "../policy/taint.ts";
import { type Verdict, verdict } from "../policy/verdict.ts";
import type { RowReader } from "../ports/store.ts";
import { noTrust, type Trust } from "../schema/contexts/trust.ts";
import type { VerdictGiven } from "../schema/contexts/tool-call-context.ts";
import { toErrorData } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import { runTable, type Task, taskTable } from "../schema/rows/run-rows.ts";
import type { Circumstances, Tool } from "../tools/tool.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { Agents } from "./agent.ts";
import { type AgentOfRun, agentOfRun } from "./agent-of-run.ts";
import { liveGrants } from "./live-grants.ts";

/** What is judged; the same words before a call is allowed and when its activity starts. */
export type JudgedCall = {
  readonly agent_id: string;
  readonly session_address: string;
  readonly task_id: string;
  readonly run_id: string;
  readonly step_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** What the run knew when the model asked for it. */
  readonly trust: Trust;
};

/** Who is asked, where somebody is, is not the policy's matter. */
export type Judged = Omit<VerdictGiven, "approvers">;
export type Judge = (read: RowReader, call: JudgedCall, at: number) => Judged;

/** Decides on what is true in this very transaction: the policy that the run began with and the agent's present one, whichever
 *  is stricter, the boundary of the task, and the grants that live now. */
export function createJudge(agents: Agents, tools: ToolRegistry): Judge {
  return (read, call, at) => {
    const agent = present(agents, read, call);
    if (typeof agent === "string") return refusal(call, "deny", agent);
    const tool = tools.get(call.tool);
    if (tool === undefined) {
      const known = tools.offered(agent.pinned.policy.allow).map(({ name }) => name);
      return refusal(
        call,
        "invalid",
        `tool.not_found: There is no tool ${call.tool}. There are: ${known.join(", ")}.`,
      );
    }
    const validated = tool.validate(call.input);
    if (!validated.ok) return refusal(call, "invalid", `tool.invalid_input: ${validated.message}`);
    const capabilities = tool.capabilities(validated.input);
    const { workspace } = agent.live;
    const grants = liveGrants(read, { ...call, capabilities, workspace }, at);
    const around = tool.circumstances?.(validated.input, agent.live);
    const known = conditionsOf(call, tool, around);
    const asked = { tool, capabilities, taskBoundary: agent.task.boundary, grants, ...known };
    const live = verdict({ ...asked, agent: agent.live.policy });
    const pinned =
      agent.pinned === agent.live ? live : verdict({ ...asked, agent: agent.pinned.policy });
    const judged = stricter(pinned, live);
    if (around?.ok === false && judged.verdict !== "deny")
      return refusal(call, "invalid", around.reason);
    const brings = withOrigins(noTrust, tool.brings(validated.input, agent.live));
    return worded(call, { tool, judged, brings, around: around?.ok === true ? around : undefined });
  };
}

type Found = Partial<Extract<Circumstances, { readonly ok: true }>>;

const unknown: Found = {};

function conditionsOf({ input, trust }: JudgedCall, tool: Tool, around: Circumstances | undefined) {
  const { pin, changed, onlyThisCall, isConfined, mustAsk } =
    around?.ok === true ? around : unknown;
  const foreign =
    carriesTooMuch(tool.carries(input), trust) ?? lastsTooLong(tool.lasts(input), trust);
  return { pin, changed, onlyThisCall, isConfined, mustAsk: mustAsk ?? foreign, trust };
}

/** The task that the call is for, while its run lives: what was queued or restored after that does nothing more. */
function openTask(read: RowReader, { run_id, task_id }: JudgedCall): Task | undefined {
  const run = read.get(runTable, run_id);
  return run === undefined || run.state !== null ? undefined : read.get(taskTable, task_id);
}

type Present = AgentOfRun & { readonly task: Task };

/** The agent and its task, or why nothing more may be done. */
function present(agents: Agents, read: RowReader, call: JudgedCall): Present | string {
  const task = openTask(read, call);
  if (task === undefined) return "Denied: the run has ended.";
  try {
    const agent = agentOfRun(agents, read, call);
    const hasMoved = agent.pinned.workspace !== agent.live.workspace;
    return hasMoved
      ? "Denied: the agent's workspace is not the one that the run began in."
      : { ...agent, task };
  } catch (thrown) {
    return toErrorData(thrown).message;
  }
}

function refusal(call: JudgedCall, verdict_: "deny" | "invalid", reason: string): Judged {
  return {
    verdict: verdict_,
    risk: "unsafe",
    reason,
    summary: call.tool,
    requested: [],
    granted: [],
    proposed_grants: [],
    pin: null,
    terms: "",
    brings: noTrust,
    question: "",
    options: [],
    binding: "",
  };
}

type Judgement = {
  readonly tool: Tool;
  readonly judged: Verdict;
  readonly brings: Trust;
  readonly around: Extract<Circumstances, { readonly ok: true }> | undefined;
};

function worded(call: JudgedCall, { tool, judged, brings, around }: Judgement): Judged {
  const question = judged.verdict === "run" ? tool.asks?.(call.input) : undefined;
  const { summary = tool.summary(call.input), pin = null, terms = "", bound } = around ?? {};
  const { question: text = "", options = [] } = question ?? {};
  return {
    verdict: question === undefined ? judged.verdict : "question",
    risk: judged.risk,
    reason: judged.reason,
    summary,
    requested: [...judged.requested],
    granted: [...judged.granted],
    proposed_grants: [...judged.proposed_grants],
    pin,
    terms,
    brings,
    question: text,
    options: [...options],
    binding: bindingOf(call, bound),
  };
}
