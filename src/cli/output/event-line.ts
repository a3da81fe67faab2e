import type { SidecarEvent } from "../../schema/shown/news.ts";
import { shown } from "../../text/shown.ts";
import type { Style } from "./style.ts";

/** `20:41:02.113  ToolExecuted  r4  file_write done in 12 ms  (main, trace t1)` */
export function eventLine(event: SidecarEvent, style: Style): string {
  const { at, type, run_id, agent_id, trace_id } = event;
  const told = `${at.slice(11, 23)}  ${type}  ${shown(run_id)}  ${whatHappened(event)}`;
  const where = style.dim(`  (${shown(agent_id)}, trace ${shown(trace_id)})`);
  return paintOf(event, style)(told) + where;
}

function whatHappened(event: SidecarEvent): string {
  switch (event.type) {
    case "MessageAccepted":
      return `from ${shown(event.channel_type)}, ${shown(event.user_scope)}${event.queued ? "; waits its turn" : ""}`;
    case "ReplyReady":
      return `after ${event.duration_ms} ms`;
    case "TaskFailed":
      return `${event.status}: ${shown(event.error?.message)}`;
    case "NeedHumanApproval":
      return `${shown(event.approval_id)}: ${shown(event.summary)} (${shown(event.tool)})`;
    case "ToolExecuted":
      return `${shown(event.tool)} ${event.status} in ${event.duration_ms} ms`;
    case "MemoryReadRequested":
    case "MemoryWriteRequested":
      return `by ${event.by}`;
    case "EpisodeWritten":
      return `to ${shown(event.partition)}`;
    case "ConsolidationCompleted":
      return consolidatedText(event);
  }
}

function consolidatedText(
  event: Extract<SidecarEvent, { type: "ConsolidationCompleted" }>,
): string {
  const { partition, status, changed, duration_ms } = event;
  const outcome = status === "failed" ? "failed" : changed ? "changed" : "nothing changed";
  return `${shown(partition)}: ${outcome} in ${duration_ms} ms`;
}

function paintOf({ type }: SidecarEvent, { red, yellow }: Style): (text: string) => string {
  if (type === "TaskFailed") return red;
  return type === "NeedHumanApproval" ? yellow : (text) => text;
}
