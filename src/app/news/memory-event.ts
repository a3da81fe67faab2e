import type { ActorRow, JournalRow } from "../../engine/tables.ts";
import { homeOf } from "../../memory/partitions.ts";
import type { CallModelOutput } from "../../schema/activities.ts";
import type { ConsolidationContext } from "../../schema/contexts/consolidation-context.ts";
import type { EpisodeContext } from "../../schema/contexts/episode-context.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import type { ToolCallContext } from "../../schema/contexts/tool-call-context.ts";
import type { SidecarEvent } from "../../schema/shown/news.ts";
import { endedIn } from "../records/ended-in.ts";
import { lineageOf, sessionOf, stepIds } from "./whereabouts.ts";

/** What a committed step means to memory; nothing of what is remembered stands in it. */
export function memoryEventOf(
  step: JournalRow,
  actor: ActorRow | undefined,
): SidecarEvent | undefined {
  if (step.outcome !== "handled" || actor === undefined) return undefined;
  switch (step.machine) {
    case "run":
      return ofRecall(step, actor.snapshot.context as RunContext);
    case "tool_call":
      return ofTool(step, actor.snapshot.context as ToolCallContext);
    case "session":
      return ofCompaction(step, actor);
    case "episode":
      return ofEpisode(step, actor.snapshot.context as EpisodeContext);
    case "consolidation":
      return ofConsolidation(step, actor);
    default:
      return undefined;
  }
}

function ofRecall(step: JournalRow, context: RunContext): SidecarEvent | undefined {
  if (step.event_type !== "xstate.done.actor.callModel") return undefined;
  const { recalled } = step.event["output"] as unknown as CallModelOutput;
  if (recalled === undefined) return undefined;
  return { type: "MemoryReadRequested", ...lineageOf(step, context), by: "recall" };
}

function ofTool(step: JournalRow, context: ToolCallContext): SidecarEvent | undefined {
  if (endedIn(step, "executing") === undefined) return undefined;
  const known = { ...lineageOf(step, context), by: "tool" } as const;
  if (context.call.name === "memory_search") return { type: "MemoryReadRequested", ...known };
  return context.call.name === "memory_write"
    ? { type: "MemoryWriteRequested", ...known }
    : undefined;
}

function ofCompaction(step: JournalRow, { address, snapshot }: ActorRow): SidecarEvent | undefined {
  if (endedIn(step, "compacting.flushing") === undefined) return undefined;
  const { agent_id, session_id } = snapshot.context as SessionContext;
  const known = sessionOf(step, { session_address: address, agent_id, session_id });
  return { type: "MemoryWriteRequested", ...known, by: "compaction" };
}

function ofEpisode(step: JournalRow, context: EpisodeContext): SidecarEvent | undefined {
  if (step.state_before !== "writing" || endedIn(step, "done") === undefined) return undefined;
  const { partition } = context;
  return { type: "EpisodeWritten", ...sessionOf(step, context), partition };
}

function ofConsolidation(
  step: JournalRow,
  { snapshot, created_at }: ActorRow,
): SidecarEvent | undefined {
  const status = endedIn(step, "done", "failed");
  if (status === undefined) return undefined;
  const { partition, is_dry_run, is_changed } = snapshot.context as ConsolidationContext;
  return {
    type: "ConsolidationCompleted",
    ...whoseOf(partition),
    ...stepIds(step),
    task_id: null,
    run_id: null,
    partition,
    status,
    is_dry_run,
    changed: is_changed && !is_dry_run,
    duration_ms: step.at - created_at,
  };
}

function whoseOf(partition: string) {
  const ofNoSession = {
    channel_type: null,
    conversation_scope: null,
    user_scope: null,
    session_id: null,
  };
  const { agent_id = null, connector_id = null } = homeOf(partition) ?? {};
  return { ...ofNoSession, connector_id, agent_id };
}
