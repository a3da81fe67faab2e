import type { SidecarEvent } from "../../schema/shown/news.ts";
import { shown } from "../../text/shown.ts";
import type { Line, Span, Style } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, padded, safe, type SafeText } from "../frame/safe-text.ts";
import type { Happening } from "../model/happenings.ts";
import type { Fields } from "../widgets/filter.ts";
import { changeOf, clockOf, whoOf } from "./step-line.ts";

/** A row of the bus: when, what, to or from whom. */

/** From this width on the trace stands in each row. */
const wideEnough = 90;
const traceWidth = 10;
const clockWidth = 13;

export function happeningLine(row: Happening, width: number): Line {
  const trace = width >= wideEnough ? [cell(safe(row.trace), traceWidth)] : [];
  const times = row.times > 1 ? own` ×${row.times}` : own``;
  return [
    cell(clockOf(row.at), clockWidth),
    ...trace,
    ...(row.kind === "step" ? stepSpans(row) : eventSpans(row)),
    span(times, { bold: true }),
  ];
}

function cell(text: SafeText, width: number): Span {
  return span(own`${padded(text, width - 1)} `, { fg: "grey" });
}

function stepSpans(row: Extract<Happening, { kind: "step" }>): Span[] {
  const { step } = row;
  const isTaken = step.outcome === "handled";
  const refusal = isTaken ? own`` : own`  ${safe(step.outcome)}: ${safe(step.reason ?? "")}`;
  return [
    span(safe(step.event), isTaken ? {} : { fg: "yellow" }),
    span(own`  ${changeOf(step)}`, { fg: "cyan" }),
    span(own`  ${whoOf(step.address)}`, { fg: "grey" }),
    span(refusal, { fg: "yellow" }),
  ];
}

const eventStyles: { readonly [type in SidecarEvent["type"]]: Style } = {
  MessageAccepted: { bold: true },
  ReplyReady: { fg: "green", bold: true },
  TaskFailed: { fg: "red", bold: true },
  NeedHumanApproval: { fg: "yellow", bold: true },
  ToolExecuted: { bold: true },
  MemoryReadRequested: { bold: true },
  MemoryWriteRequested: { bold: true },
  EpisodeWritten: { bold: true },
  ConsolidationCompleted: { bold: true },
};

function eventSpans({ event }: Extract<Happening, { kind: "event" }>): Span[] {
  const where = [event.agent_id, event.run_id ?? event.session_id].filter((part) => part);
  return [
    span(safe(event.type), eventStyles[event.type]),
    span(own`  ${safe(factOf(event))}`),
    span(own`  ${safe(where.join(" "))}`, { fg: "grey" }),
  ];
}

function factOf(event: SidecarEvent): string {
  switch (event.type) {
    case "MessageAccepted":
      return event.queued ? "waits its turn" : "begins a run";
    case "ReplyReady":
      return `after ${Math.round(event.duration_ms)} ms`;
    case "TaskFailed":
      return [event.status, ...(event.error === null ? [] : [event.error.message])].join(": ");
    case "NeedHumanApproval":
      return `${event.approval_id} ${event.tool} ${event.summary}`;
    case "ToolExecuted":
      return `${event.tool} ${event.status} in ${Math.round(event.duration_ms)} ms`;
    case "MemoryReadRequested":
    case "MemoryWriteRequested":
      return `by ${event.by}`;
    case "EpisodeWritten":
      return event.partition;
    case "ConsolidationCompleted":
      return `${event.partition} ${event.status}`;
  }
}

/** What the filter looks at. */
export function happeningFields(row: Happening): Fields {
  if (row.kind === "step") {
    const { event, address, state_before, state_after, outcome, reason, trace } = row.step;
    const state = `${state_before ?? ""} ${state_after ?? ""}`;
    return { kind: "step", event, address, state, outcome, reason: reason ?? "", trace };
  }
  const { event } = row;
  return {
    kind: "event",
    event: event.type,
    agent: event.agent_id ?? "",
    session: event.session_id ?? "",
    run: event.run_id ?? "",
    task: event.task_id ?? "",
    trace: event.trace_id,
    ...("tool" in event ? { tool: event.tool } : {}),
    about: shown(factOf(event)),
  };
}
