import type { ShownAudit, ShownRun } from "../../schema/shown/shown.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";
import { budgetText, spent } from "../../text/amounts.ts";
import { moment, took, until } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Line, Size, Style } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, safeLines, type SafeText, wrappedWords } from "../frame/safe-text.ts";
import { type Fact, factLines, heading, listed, orDash } from "../look/fact-lines.ts";
import { jsonLines } from "../look/json-lines.ts";
import { hitLine } from "../look/memory-look.ts";
import { clockOf } from "../look/step-line.ts";
import type { RunRecord, SeenCall } from "../model/run-record.ts";
import type { RunRow, RunTree } from "../model/run-tree.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";

/** What the service says of the chosen run, or of the chosen thing in it. */
export class RunDetailPane implements Pane {
  readonly hints: readonly Hint[] = [{ keys: own`↑↓ PgUp PgDn`, does: own`scroll` }];
  private readonly app: App;
  private readonly tree: RunTree;
  private readonly scroll = new Scroll();
  private row: RunRow | undefined;
  private lineCount = 0;
  private laid: { readonly of: readonly unknown[]; readonly lines: readonly Line[] } | undefined;

  constructor(app: App, tree: RunTree) {
    this.app = app;
    this.tree = tree;
  }

  show(row: RunRow | undefined): void {
    if (row?.id !== this.row?.id) this.scroll.toStart();
    this.row = row;
  }

  title(): SafeText {
    const { row } = this;
    if (row === undefined) return own`no run`;
    const run = own`run ${safe(row.run.run_id)}`;
    switch (row.kind) {
      case "run":
        return run;
      case "step":
        return own`${run}, step ${row.step.number}`;
      case "call":
      case "decision":
        return own`${run}, call of ${safe(row.call.tool)}`;
      case "approval":
        return own`${run}, approval ${safe(row.approval.id)}`;
    }
  }

  draw(size: Size): Picture {
    const { row } = this;
    if (row === undefined) return { lines: [line(own`choose a run`, { fg: "grey" })] };
    const lines = this.lines(row, size.columns);
    this.lineCount = lines.length;
    return { lines: this.scroll.window(lines, size) };
  }

  key(key: Key): boolean {
    return this.scroll.key(key, this.lineCount);
  }

  trace(): string | undefined {
    return this.row?.run.trace_id;
  }

  private lines(row: RunRow, width: number): readonly Line[] {
    const record = this.tree.record(row.run);
    const second = Math.floor(this.app.timers.now() / 1000);
    const of = [row, record, width, record?.shown.waits ? second : 0];
    if (this.laid?.of.every((each, index) => each === of[index]) === true) return this.laid.lines;
    const lines = linesOf(row, record, { width, now: this.app.timers.now() });
    this.laid = { of, lines };
    return lines;
  }
}

type Room = { readonly width: number; readonly now: number };

function linesOf(row: RunRow, record: RunRecord | undefined, room: Room): readonly Line[] {
  switch (row.kind) {
    case "run":
      return runLines(row.run, record, room);
    case "step":
      return factLines(
        [
          [own`began`, own`${safe(moment(row.step.started_at))} UTC`],
          [own`ended`, orDash(row.step.ended_at && moment(row.step.ended_at))],
          [own`does`, orDash(row.step.action?.replaceAll("_", " "))],
        ],
        room.width,
      );
    case "call":
    case "decision":
      return callLines(row.call, room.width);
    case "approval":
      return approvalLines(row.approval, room);
  }
}

function runLines(run: ShownRun, record: RunRecord | undefined, { width, now }: Room): Line[] {
  const { error, reply } = run;
  const failed: Line[] =
    error === null
      ? []
      : [
          heading(own`error ${safe(error.code)}`),
          ...textLines(error.message, width, { fg: "red" }),
          ...textLines(error.hint ?? "", width),
          blank,
        ];
  const said = reply === null ? [] : [blank, heading(own`reply`), ...textLines(reply, width)];
  const recalled = record?.shown.recalled ?? [];
  const known: Line[] =
    recalled.length === 0 ? [] : [blank, heading(own`recalled`), ...recalled.map(hitLine)];
  const audit = record?.shown.audit ?? [];
  const did =
    audit.length === 0
      ? []
      : [blank, heading(own`decisions and calls`), ...audit.map((each) => auditLine(each))];
  return [...failed, ...factLines(factsOf(run, record, now), width), ...known, ...did, ...said];
}

function factsOf(run: ShownRun, record: RunRecord | undefined, now: number): Fact[] {
  const { ended_at, started_at } = run;
  const spanMs = (ended_at === null ? now : Date.parse(ended_at)) - Date.parse(started_at);
  const ended = ended_at === null ? own`` : own`, ended after ${safe(took(spanMs))}`;
  return [
    [own`state`, safe(run.state)],
    ...waitFacts(record, now),
    [own`began`, own`${safe(moment(started_at))} UTC${ended}`],
    [own`session`, own`${safe(run.session_id)}, agent ${safe(run.agent_id)}`],
    [own`task`, own`${safe(run.task_id)}, trace ${safe(run.trace_id)}`],
    [own`config`, orDash(run.config_hash?.slice(0, 12))],
    [
      own`used`,
      own`${safe(spent(run.usage))}, ${run.usage.calls} model calls, ${run.retries} retries`,
    ],
    ...budgetFacts(record),
    ...trustFacts(record),
  ];
}

function waitFacts(record: RunRecord | undefined, now: number): Fact[] {
  const waits = record?.shown.waits;
  if (!waits) return [];
  const due = safe(until(waits.next_try_at, now));
  const value = own`attempt ${waits.attempt} in ${due}, for ${safe(waits.code)}`;
  return [[own`waits`, value, { fg: "yellow" }]];
}

function budgetFacts(record: RunRecord | undefined): Fact[] {
  return (record?.shown.budgets ?? []).map((budget): Fact => {
    const isTight = budget.left * 5 < budget.limit;
    const value = own`${safe(budget.scope.replace("_", "'s "))}: ${safe(budgetText(budget))}`;
    return isTight ? [own`budget`, value, { fg: "yellow" }] : [own`budget`, value];
  });
}

function trustFacts(record: RunRecord | undefined): Fact[] {
  const { private: read = [], untrusted = [] } = record?.shown.trust ?? {};
  const facts: Fact[] = [];
  if (read.length > 0) facts.push([own`has read`, listed(read)]);
  if (untrusted.length > 0) facts.push([own`tainted by`, listed(untrusted), { fg: "yellow" }]);
  return facts;
}

const auditWords: { readonly [kind in ShownAudit["kind"]]: SafeText } = {
  decision: own`decided`,
  invocation: own`called `,
  poke: own`sent   `,
};

const goodEnds = new Set(["approved", "done", "allowed", "answered", "run", "accepted"]);

/** `12:00:04.259 decided file_write approved by cli  Guarded; no grant covers it.` */
function auditLine(row: ShownAudit): Line {
  const { at, kind, status, decided_by, reason, error } = row;
  const by = decided_by === null || kind === "invocation" ? own`` : own` by ${safe(decided_by)}`;
  const why = typeof error === "string" ? error : (reason ?? "");
  return [
    span(own`${clockOf(at)} `, { fg: "grey" }),
    span(own`${auditWords[kind]} ${subjectOf(row)} `),
    span(own`${safe(status)}${by}`, { fg: goodEnds.has(status) ? "green" : "red" }),
    span(own`  ${safe(why)}`, { fg: "grey" }),
  ];
}

/** The tool; of what was sent by hand, the event. */
function subjectOf({ kind, tool, input }: ShownAudit): SafeText {
  if (kind !== "poke" || input === null || typeof input !== "object") return safe(tool);
  const event = "event" in input ? input["event"] : undefined;
  return safe(typeof event === "string" ? event : tool);
}

function callLines(call: SeenCall, width: number): Line[] {
  const facts: Fact[] = [
    [own`state`, safe(call.state)],
    [own`call`, own`${safe(call.callId)} of step ${safe(call.stepId)}`],
    ...(call.actor === undefined ? [] : [[own`actor`, safe(call.actor.address)] satisfies Fact]),
    ...decisionFacts(call),
    ...invocationFacts(call),
  ];
  return [
    ...factLines(facts, width),
    blank,
    heading(own`input`),
    ...jsonLines(call.input, width),
    blank,
    line(own`What it answered is in the session (s) and in the replay (r).`, { fg: "grey" }),
  ];
}

function decisionFacts({ decision }: SeenCall): Fact[] {
  if (decision === undefined) return [];
  const { approval_result, status, decided_by, reason } = decision;
  return [
    [own`asks for`, listed(decision.requested_capabilities)],
    [own`granted`, listed(decision.granted_capabilities)],
    [own`decided`, own`${safe(approval_result ?? status)} by ${orDash(decided_by)}`],
    [own`why`, orDash(reason)],
  ];
}

function invocationFacts({ invocation, decision }: SeenCall): Fact[] {
  const error = invocation?.error ?? decision?.error ?? null;
  const text = typeof error === "string" ? error : JSON.stringify(error);
  const failed: Fact[] = error === null ? [] : [[own`error`, safe(text), { fg: "red" }]];
  if (invocation === undefined) return failed;
  const worked = Date.parse(invocation.end_at) - Date.parse(invocation.start_at);
  return [[own`worked`, safe(took(worked))], ...failed];
}

function approvalLines(approval: ShownApproval, { width, now }: Room): Line[] {
  const facts: Fact[] = [
    [own`asks`, safe(approval.summary), { fg: "yellow" }],
    [own`risk`, safe(approval.risk)],
    [own`why`, orDash(approval.reason)],
    [own`wants`, listed(approval.requested)],
    [own`expires`, own`in ${safe(until(approval.expires_at, now))}`],
  ];
  return [
    ...factLines(facts, width),
    blank,
    line(own`F4 shows all of it, and answers it.`, { bold: true }),
  ];
}

function textLines(text: string, width: number, style?: Style): Line[] {
  if (text === "") return [];
  return safeLines(text).flatMap((each) =>
    wrappedWords(each, width).map((part) => line(part, style)),
  );
}
