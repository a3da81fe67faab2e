import type { ActivityContext, ActivityKind } from "../engine/activity-kind.ts";
import { bindingOf } from "../policy/call-binding.ts";
import { pathCapability } from "../policy/capability.ts";
import type { RedactedStream } from "../policy/stream-redaction.ts";
import { isPermissible } from "../policy/verdict.ts";
import type { CommittedReader } from "../ports/store.ts";
import type { Web } from "../ports/web.ts";
import type { ExecuteToolInput, ExecuteToolOutput } from "../schema/activities.ts";
import { noTrust } from "../schema/contexts.ts";
import { AgentError, type ErrorData } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { boundedOutput } from "../tools/shown-output.ts";
import { idIn } from "./address.ts";
import type { Agents } from "./agent.ts";
import { committedAgentOfRun } from "./agent-of-run.ts";
import { earlierConversations } from "./earlier-conversations.ts";
import type { Judge, Judged } from "./judge-call.ts";

/** The activity that runs a tool; judged once more, in the transaction that marks it as started. */

export type ExecuteToolOptions = {
  readonly agents: Agents;
  readonly tools: ToolRegistry;
  readonly judge: Judge;
  readonly read: () => CommittedReader;
  readonly web: Web;
  readonly redactStream: () => RedactedStream;
  readonly maxConcurrent: () => number;
};

export function createExecuteTool(
  options: ExecuteToolOptions,
): ActivityKind<ExecuteToolInput, ExecuteToolOutput> {
  return {
    recovery: ({ tool }) => options.tools.get(tool)?.recovery ?? "once",
    get maxConcurrent() {
      return options.maxConcurrent();
    },
    admit: (read, input, { at }) =>
      admission(options.judge(read, { trust: noTrust, ...input }, at), input),
    run: (context) => executeTool(options, context),
  };
}

/** What runs is what was shown: a call that changed, or that the policy has since forbidden, is refused. */
function admission(
  { verdict, reason, binding }: Judged,
  input: ExecuteToolInput,
): ErrorData | undefined {
  const isAllowed = verdict === "run" || (verdict === "ask" && input.approved);
  if (!isAllowed) return denied(reason);
  if (binding !== input.binding)
    return denied(
      "What the call would do has changed since it was allowed. Make it again to have it asked about.",
    );
  return undefined;
}

function denied(message: string): ErrorData {
  return { code: "permission.denied", message, retryable: false };
}

async function executeTool(
  { agents, tools, read, web, redactStream }: ExecuteToolOptions,
  { input, address, signal }: ActivityContext<ExecuteToolInput>,
): Promise<ExecuteToolOutput> {
  const { pinned, live } = await committedAgentOfRun(agents, read(), input);
  const tool = tools.get(input.tool);
  if (tool === undefined) {
    throw new AgentError(
      "tool.not_found",
      `There is no tool ${input.tool} for the agent ${input.agent_id}.`,
    );
  }
  const validated = tool.validate(input.input);
  if (!validated.ok) throw new AgentError("tool.invalid_input", validated.message);
  const { files, sandbox } = live;
  const mayRead = (path: string) =>
    [pinned, live].every(({ policy }) => isPermissible(policy, pathCapability("fs.read", path)));
  const callName = fileName(input.run_id, address);
  const isAsAllowed = (bound: JsonObject) => bindingOf(input, bound) === input.binding;
  const conversations = earlierConversations(read(), input);
  const context = {
    files,
    sandbox,
    web,
    conversations,
    mayRead,
    callName,
    isAsAllowed,
    redactStream,
    signal,
  };
  return boundedOutput(tool.run(validated.input, context), context);
}

function fileName(runId: string, address: string): string {
  const call = idIn(address);
  return `${runId}-${call}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
