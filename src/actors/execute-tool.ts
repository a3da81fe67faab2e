import type { ActivityContext, ActivityKind } from "../engine/activities/activity-kind.ts";
import { bindingOf } from "../policy/call-binding.ts";
import { pathCapability } from "../policy/capability.ts";
import { manyOthers, untrustedOf, withOrigins } from "../policy/origins.ts";
import type { RedactedStream } from "../policy/stream-redaction.ts";
import { refusalText } from "../policy/refusal-text.ts";
import { isPermissible } from "../policy/verdict.ts";
import type { Memories } from "../ports/memory.ts";
import type { CommittedReader, RowReader } from "../ports/store.ts";
import type { Outbox } from "../ports/outbox.ts";
import type { Schedules } from "../ports/schedules.ts";
import type { Web } from "../ports/web.ts";
import type { ExecuteToolInput, ExecuteToolOutput } from "../schema/activities.ts";
import { noTrust } from "../schema/contexts/trust.ts";
import { AgentError, type ErrorData } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import { boundedOutput, outputPath } from "../tools/shown-output.ts";
import { idIn } from "./address.ts";
import type { Agents } from "./agent.ts";
import type { Connector } from "./approvers.ts";
import { committedAgentOfRun } from "./agent-of-run.ts";
import { earlierConversations } from "./earlier-conversations.ts";
import { markAfter, markBefore, originsBefore, originsOf, type Writing } from "./file-origins.ts";
import type { Judge, Judged } from "./judge-call.ts";
import { memoryOfCall } from "./memory/using/memory-of-call.ts";

/** The activity that runs a tool; judged once more, in the transaction that marks it as started. */

/** The run that wants something done at set times: whose task it would be, and what it knows. */
export type AskingRun = Pick<
  ExecuteToolInput,
  "agent_id" | "session_address" | "task_id" | "trust"
>;

export type ExecuteToolOptions = {
  readonly agents: Agents;
  readonly tools: ToolRegistry;
  readonly judge: Judge;
  readonly read: () => CommittedReader;
  readonly web: Web;
  readonly memories: Memories;
  readonly connectors: () => readonly Connector[];
  readonly outbox: Outbox;
  readonly schedules: (asking: AskingRun) => Schedules;
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
    admit: (store, input, { address, at }) => {
      const judged = options.judge(store, { trust: noTrust, ...input }, at);
      const refusal = admission(judged, input);
      const writing = writingOf(options, { input, address, at });
      if (refusal === undefined && writing !== undefined)
        markBefore(store, withCopied(store, writing));
      return refusal;
    },
    settled: (store, { input, address, at, settlement }) => {
      const writing = writingOf(options, { input, address, at });
      if (writing === undefined) return;
      if (settlement.ok)
        markAfter(store, writing, settlement.output as unknown as ExecuteToolOutput);
      else markBefore(store, withCopied(store, writing));
    },
    run: (context) => executeTool(options, context),
  };
}

/** What runs is what was shown: a call that changed, or that the policy has since forbidden, is refused. */
function admission(
  { verdict, reason, binding }: Judged,
  input: ExecuteToolInput,
): ErrorData | undefined {
  const isAllowed = verdict === "run" || (verdict === "ask" && input.approved);
  if (!isAllowed) return denied(refusalText(reason));
  if (binding !== input.binding)
    return denied(
      "What the call would do has changed since it was allowed. Make it again to have it asked about.",
    );
  return undefined;
}

function denied(message: string): ErrorData {
  return { code: "permission.denied", message, retryable: false };
}

type Call = { readonly input: ExecuteToolInput; readonly address: string };

/** Undefined where nothing can be written: the agent or the tool is gone. */
function writingOf(
  { agents, tools }: ExecuteToolOptions,
  { input, address, at }: Call & { readonly at: number },
): Writing | undefined {
  const agent = agents.get(input.agent_id);
  const tool = tools.get(input.tool);
  if (agent === undefined || tool?.validate(input.input).ok !== true) return undefined;
  const { untrusted = [], reads = [] } = tool.brings(input.input, agent);
  return {
    workspace: agent.workspace,
    reads,
    writes: tool.writes(input.input),
    known: input.trust?.untrusted ?? [],
    kept: { path: outputPath(callNameOf({ input, address })), untrusted },
    at,
  };
}

/** What it reads, it may write elsewhere. */
function withCopied(store: RowReader, writing: Writing): Writing {
  if (writing.writes.length === 0) return writing;
  const copied = originsBefore(store, writing.workspace, writing.reads);
  return { ...writing, known: untrustedOf(writing.known, copied) };
}

async function executeTool(
  options: ExecuteToolOptions,
  { input, address, key: callKey, trace, signal }: ActivityContext<ExecuteToolInput>,
): Promise<ExecuteToolOutput> {
  const { agents, tools, read, web, outbox, redactStream } = options;
  const agent = await committedAgentOfRun(agents, read(), input);
  const { pinned, live } = agent;
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
  const callName = callNameOf({ input, address });
  const isAsAllowed = (bound: JsonObject) => bindingOf(input, bound) === input.binding;
  const conversations = earlierConversations(read(), input);
  const remembered = memoryOfCall(
    { ...options, read: read() },
    { input, agent, key: callKey, trace, signal },
  );
  const context = {
    files,
    sandbox,
    web,
    outbox,
    schedules: options.schedules(input),
    memory: remembered.memory,
    callKey,
    conversations,
    mayRead,
    callName,
    isAsAllowed,
    redactStream,
    signal,
  };
  const output = await boundedOutput(tool.run(validated.input, context), context);
  const { reads = [] } = tool.brings(validated.input, live);
  const untrusted = await originsIn(read(), live.workspace, reads);
  const brings = withOrigins(remembered.brought(), { untrusted });
  const isMore = brings.private.length + brings.untrusted.length > 0;
  return isMore ? { ...output, brings } : output;
}

/** What was done is done, also when nobody can say now what the files held. */
async function originsIn(
  read: CommittedReader,
  workspace: string,
  paths: readonly string[],
): Promise<string[]> {
  try {
    return [...(await originsOf(read, workspace, paths))];
  } catch (thrown) {
    if (thrown instanceof AgentError) return [manyOthers];
    throw thrown;
  }
}

function callNameOf({ input, address }: Call): string {
  return `${input.run_id}-${idIn(address)}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}
