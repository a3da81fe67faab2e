import type { ShownAudit } from "../../schema/socket/protocol.ts";
import { moment, took } from "../../text/times.ts";
import { auditInput, auditStatus, auditWhy } from "../../text/audit-text.ts";
import type { Line, Style } from "../frame/frame.ts";
import { blank, fitLine, line, span } from "../frame/line.ts";
import { own, safe, type SafeText, wrapped } from "../frame/safe-text.ts";
import type { Column } from "../frame/table.ts";
import type { Fields } from "../widgets/filter.ts";
import { jsonLines } from "./json-lines.ts";

const bad = new Set(["denied", "expired", "failed", "outcome_unknown", "refused", "invalid"]);
const good = new Set(["approved", "allowed", "done", "accepted"]);

function styleOf({ status }: ShownAudit): Style {
  if (bad.has(status)) return { fg: "red" };
  return good.has(status) ? { fg: "green" } : { fg: "yellow" };
}

export const auditColumns: readonly Column<ShownAudit>[] = [
  { title: own`n`, width: 5, align: "right", cell: ({ n }) => span(own`${n}`, { fg: "grey" }) },
  { title: own`time`, width: 8, cell: ({ at }) => span(safe(at.slice(11, 19)), { fg: "grey" }) },
  { title: own`kind`, width: 10, cell: ({ kind }) => span(safe(kind)) },
  { title: own`status`, width: 12, cell: (row) => span(safe(auditStatus(row)), styleOf(row)) },
  { title: own`agent`, width: 8, from: 110, cell: ({ agent }) => span(safe(agent)) },
  { title: own`tool`, width: 11, cell: ({ tool }) => span(safe(tool), { bold: true }) },
  { title: own`input`, width: "rest", cell: (row) => span(safe(auditInput(row))) },
  { title: own`why`, width: "rest", from: 110, cell: (row) => span(safe(auditWhy(row))) },
  { title: own`who`, width: 10, from: 90, cell: ({ decided_by }) => span(safe(decided_by ?? "")) },
  { title: own`run`, width: 6, from: 60, cell: ({ run_id }) => span(safe(run_id)) },
];

/** What the filter looks at. */
export function auditFields(row: ShownAudit): Fields {
  return {
    kind: row.kind,
    status: row.status,
    tool: row.tool,
    agent: row.agent,
    run: row.run_id,
    task: row.task_id,
    session: row.session,
    trace: row.trace_id,
    who: row.decided_by ?? "",
    input: auditInput(row),
    reason: row.reason ?? "",
  };
}

/** The whole row. */
export function auditDetailLines(row: ShownAudit, width: number): Line[] {
  const fact = (name: SafeText, value: string): Line[] =>
    value === "" ? [] : factLines(name, safe(value), width);
  const ms = Date.parse(row.end_at) - Date.parse(row.start_at);
  return [
    [span(safe(row.kind), { bold: true }), span(own` ${safe(auditStatus(row))}`, styleOf(row))],
    ...fact(own`at`, `${moment(row.at)} UTC, took ${took(ms)}`),
    ...fact(own`tool`, row.tool),
    ...fact(own`by`, row.decided_by ?? ""),
    ...fact(own`because`, row.reason ?? ""),
    ...fact(
      own`asked`,
      row.approval_required === 1 ? `a person: ${row.approval_result ?? "?"}` : "",
    ),
    ...fact(own`needs`, row.requested_capabilities.join(", ")),
    ...fact(own`granted`, row.granted_capabilities.join(", ")),
    ...fact(own`agent`, row.agent),
    ...fact(own`session`, row.session),
    ...fact(own`run`, [row.run_id, row.step_id, row.tool_call_id].filter(Boolean).join(", ")),
    ...fact(own`task`, row.task_id),
    ...fact(own`trace`, row.trace_id),
    ...(row.error === null
      ? []
      : [blank, line(own`error`, { fg: "red" }), ...jsonLines(row.error, width)]),
    blank,
    line(own`input`, { fg: "grey" }),
    ...jsonLines(row.input, width),
    blank,
    ...fact(own`row`, String(row.n)),
    ...fact(own`input's`, row.input_hash),
    ...fact(own`hash`, row.hash),
    ...fact(own`before`, row.prev_hash),
  ];
}

const nameWidth = 9;

function factLines(name: SafeText, value: SafeText, width: number): Line[] {
  return wrapped(value, width - nameWidth).map((part, index): Line => [
    ...fitLine(index === 0 ? [span(name, { fg: "grey" })] : [], nameWidth),
    span(part),
  ]);
}
