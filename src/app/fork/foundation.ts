import type { Begun } from "../../engine/engine.ts";
import { unaskedEntry } from "../../machines/audit-entry.ts";
import type { WriteParams } from "../../schema/effect.ts";
import type { JsonObject } from "../../schema/json.ts";
import { auditTable } from "../../schema/rows/audit-rows.ts";
import { grantTable, type Grant } from "../../schema/rows/permission-rows.ts";
import { recallTable } from "../../schema/rows/memory-rows.ts";
import { historyCutTable } from "../../schema/rows/model-rows.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";
import { forgottenSessionTable, messageTable } from "../../schema/rows/session-rows.ts";
import type { Table } from "../../schema/rows/table.ts";
import { positionOf } from "../../schema/position.ts";
import type { Carried } from "./carried.ts";
import { noesIn } from "./limits-kept.ts";

/** The rows that a forked session begins with: what was said, and who forked it from where. */

export const forkedStatus = "forked";

type Foundation = {
  /** Of the fork's session. */
  readonly address: string;
  readonly run: Run;
  readonly at: number;
  readonly carried: Carried;
  /** Refused for good to what it is forked from. */
  readonly noes: readonly Grant[];
  /** Who forks. */
  readonly by: string;
};

/** A session and its runs are called after the steps that they begin with. */
export function foundationOf(foundation: Foundation): (begun: Begun) => readonly WriteParams[] {
  return (begun) => {
    const session_id = `s${begun.birth}`;
    const first = positionOf(begun.birth);
    const { messages, endings } = foundation.carried;
    const said = [...messages, ...endings].map((message, index) =>
      put(messageTable, { ...message, session_id, position: first + index }),
    );
    const beginning = { session_address: foundation.address, ...begun };
    return [
      ...said,
      ...noesIn(foundation.noes, beginning).map((grant) => put(grantTable, grant)),
      ...cutOf(foundation, session_id, first),
      ...recallOf(foundation, session_id, begun),
      ...forgottenOf(foundation, session_id, begun),
      auditOf(foundation, session_id, begun),
    ];
  };
}

function cutOf(
  { carried: { cut, messages, endings } }: Foundation,
  session_id: string,
  first: number,
): WriteParams[] {
  if (cut === undefined) return [];
  const places = new Map(messages.map(({ position }, index) => [position, first + index]));
  const end = first + messages.length + endings.length;
  const placeOf = (wanted: number) => {
    const index = messages.findIndex(({ position }) => position >= wanted);
    return index < 0 ? end : first + index;
  };
  const row = {
    session_id,
    from_position: placeOf(cut.from_position),
    kept: cut.kept.flatMap((position) => places.get(position) ?? []),
    made_at_position: end,
    summary: cut.summary,
    summary_until: placeOf(cut.summary_until),
  };
  return [put(historyCutTable, row)];
}

/** The fork is reminded of the same, and not asked about memory anew. */
function recallOf(
  { carried: { recalled } }: Foundation,
  session_id: string,
  begun: Begun,
): WriteParams[] {
  if (recalled === undefined) return [];
  return [put(recallTable, { ...recalled, run_id: `r${begun.event}`, session_id, at: begun.at })];
}

/** It goes on from within what was forgotten: as a past task its first run would tell it again, and memory would hear of it. */
function forgottenOf(
  { carried: { forgotten_at } }: Foundation,
  session_id: string,
  { event }: Begun,
): readonly WriteParams[] {
  if (forgotten_at === null) return [];
  return [
    { table: runTable.name, op: "patch", key: [`r${event}`], row: { forgotten_at } },
    put(forgottenSessionTable, { session_id, forgotten_at }),
  ];
}

function auditOf({ run, at, by }: Foundation, session_id: string, begun: Begun): WriteParams {
  const run_id = `r${begun.event}`;
  const about = {
    session_id,
    agent_id: run.agent_id,
    task_id: `t${begun.event}`,
    run_id,
    trace_id: begun.trace,
    step_id: "",
    tool_call_id: "",
    tool: "",
    input: { run_id: run.run_id, at },
    requested: [],
  };
  const reason = `${by} forked ${run.run_id} at ${at}: ${run_id} goes on from there.`;
  return put(
    auditTable,
    unaskedEntry("decision", about, { at: begun.at, by, status: forkedStatus, reason }),
  );
}

function put<R extends object>(table: Table<R>, row: R): WriteParams {
  return { table: table.name, op: "put", row: row as unknown as JsonObject };
}
