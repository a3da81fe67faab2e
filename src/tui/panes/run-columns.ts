import type { ShownRun } from "../../schema/socket/protocol.ts";
import { cost, tokens } from "../../text/amounts.ts";
import { took } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Span } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Column } from "../frame/table.ts";
import { type Look, lookOf } from "../look/actor-look.ts";
import { briefJson } from "../look/message-lines.ts";
import { living, lookOfCall, lookOfRun } from "../look/run-look.ts";
import type { RunRow } from "../model/run-tree.ts";

/** The table of runs and of what runs under them. */

const empty = span(own``);

function ofRun(row: RunRow, text: () => SafeText): Span {
  return row.kind === "run" ? span(text()) : empty;
}

export function runColumns(app: App): readonly Column<RunRow>[] {
  return [
    { title: own`RUN`, width: 18, cell: nameCell },
    { title: own`AGENT`, width: 8, from: 70, cell: (row) => ofRun(row, () => agentOf(row)) },
    { title: own`STATE`, width: 19, cell: (row) => stateCell(app, row) },
    { title: own`WHAT`, width: "rest", cell: (row) => span(whatOf(row)) },
    { title: own`TIME`, width: 6, align: "right", cell: (row) => timeCell(app, row) },
    {
      title: own`IN`,
      width: 6,
      align: "right",
      from: 96,
      cell: (row) => ofRun(row, () => safe(tokens(row.run.usage.input_tokens))),
    },
    {
      title: own`OUT`,
      width: 6,
      align: "right",
      from: 96,
      cell: (row) => ofRun(row, () => safe(tokens(row.run.usage.output_tokens))),
    },
    {
      title: own`COST`,
      width: 9,
      align: "right",
      from: 96,
      cell: (row) => ofRun(row, () => safe(cost(row.run.usage))),
    },
    {
      title: own`RETRIES`,
      width: 7,
      align: "right",
      from: 110,
      cell: (row) => ofRun(row, () => retriesOf(row)),
    },
  ];
}

function agentOf({ run }: RunRow): SafeText {
  return safe(run.agent_id);
}

function retriesOf({ run }: RunRow): SafeText {
  return run.retries === 0 ? own`` : own`${run.retries}`;
}

function nameCell(row: RunRow): Span {
  switch (row.kind) {
    case "run":
      return span(own`${row.isFolded ? own`▸` : own`▾`} ${safe(row.run.run_id)}`, { bold: true });
    case "step":
      return span(own`  step ${row.step.number}`, { fg: "grey" });
    case "call":
      return span(own`    ${safe(row.call.tool)}`);
    case "decision":
      return span(own`      asked`, { fg: "grey" });
    case "approval":
      return span(own`      asks ${safe(row.approval.id)}`);
  }
}

function stateCell(app: App, row: RunRow): Span {
  switch (row.kind) {
    case "run": {
      const actor = app.model.actors.get(row.run.address);
      return looking(lookOfRun(row.run, actor), row.run.state);
    }
    case "step": {
      const { ended_at } = row.step;
      const isOver = ended_at !== null || row.run.ended_at !== null;
      const state = isOver ? "done" : "working";
      const look = isOver ? lookOf({ status: "done", state, tags: [] }) : lookOf(living(state));
      return looking(look, state);
    }
    case "call":
      return looking(lookOfCall(row.call), row.call.state);
    case "decision": {
      const state = row.call.decision?.approval_result ?? "denied";
      return looking(lookOf({ status: "done", state, tags: [] }), state);
    }
    case "approval":
      return looking(lookOf(living("pending")), row.approval.state);
  }
}

function looking({ glyph, style }: Look, state: string): Span {
  return span(own`${glyph} ${safe(state)}`, style);
}

const actions: { readonly [action: string]: SafeText } = {
  respond: own`answers`,
  tool_call: own`asks for tools`,
  finish: own`ends`,
  shorten: own`shortens the history`,
  pause: own`waits for a budget`,
};

function whatOf(row: RunRow): SafeText {
  switch (row.kind) {
    case "run":
      return saidBy(row.run, row.doing);
    case "step":
      return actions[row.step.action ?? ""] ?? own``;
    case "call":
      return safe(briefJson(row.call.input));
    case "decision":
      return own`by ${safe(row.call.decision?.decided_by ?? "nobody")}`;
    case "approval":
      return own`F4: ${safe(row.approval.summary)}`;
  }
}

const longestSaid = 300;

function saidBy({ error, reply }: ShownRun, doing: string): SafeText {
  const text = error?.message ?? reply ?? doing;
  return safe(text.slice(0, longestSaid).replaceAll(/\s+/g, " "));
}

type Times = { readonly from: string | null; readonly to: string | null };

function timeCell(app: App, row: RunRow): Span {
  const { from, to } = timesOf(row);
  if (from === null) return empty;
  const end = to === null ? app.timers.now() : Date.parse(to);
  return span(safe(took(end - Date.parse(from))), to === null ? { fg: "cyan" } : {});
}

function timesOf(row: RunRow): Times {
  switch (row.kind) {
    case "run":
      return { from: row.run.started_at, to: row.run.ended_at };
    case "step":
      return { from: row.step.started_at, to: row.step.ended_at ?? row.run.ended_at };
    case "call":
      return { from: row.call.startedAt, to: row.call.isOver ? row.call.endedAt : null };
    case "decision":
      return {
        from: row.call.decision?.start_at ?? null,
        to: row.call.decision?.end_at ?? null,
      };
    case "approval":
      return { from: row.approval.created_at, to: null };
  }
}
