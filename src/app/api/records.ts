import type { CommittedReader } from "../../ports/store.ts";
import { isWhole, storedContext } from "../../engine/actor-state.ts";
import { activityTable, actorTable } from "../../engine/tables.ts";
import { budgetScopes } from "../../schema/budget.ts";
import { type Trust, trust } from "../../schema/contexts.ts";
import type { JsonObject } from "../../schema/json.ts";
import { addUsage, noUsage } from "../../schema/llm.ts";
import type { ParsedParams } from "../../schema/protocol.ts";
import type { ShownRun, ShownSession, ShownStep } from "../../schema/shown.ts";
import { auditTable } from "../../schema/audit-rows.ts";
import { type Run, runTable, type Step, stepTable, taskTable } from "../../schema/run-rows.ts";
import { messageTable, type Session, sessionTable } from "../../schema/session-rows.ts";
import { forkedFrom } from "../fork/forked-from.ts";
import type { BudgetsOf } from "../records/budgets-of.ts";
import { findRun, findSession, findTask, runsOfTask } from "../records/find.ts";
import { hasAll } from "../filter.ts";
import type { Handlers } from "./caller.ts";
import { iso, isoOrNull, showAudit, showTask } from "../records/shown.ts";
import { stateOfRun } from "../records/state-of-run.ts";
import { usageOfRun, usageOfSession } from "../records/usage-of.ts";

type Methods =
  | "runs.list"
  | "runs.show"
  | "sessions.list"
  | "sessions.show"
  | "tasks.list"
  | "tasks.show";

/** Runs, sessions and tasks. */
export function recordReads(read: CommittedReader, budgetsOf: BudgetsOf): Handlers<Methods> {
  return {
    "runs.list": async (filter) => {
      const rows = await listRuns(read, filter);
      return Promise.all(rows.map((row) => showRun(read, row)));
    },
    "runs.show": async ({ id }) => {
      const row = await findRun(read, id);
      const run = await showRun(read, row);
      const budgets = row.state === null ? await budgetsOf(row, ...budgetScopes) : [];
      const steps = await read.select(stepTable, { index: "by_run", equals: [id] });
      const audit = await read.select(auditTable, { index: "by_run", equals: [id] });
      const waits = await waitOf(read, run.address);
      const known = await trustOf(read, run.address);
      return {
        ...run,
        waits,
        budgets,
        trust: known,
        steps: steps.map(showStep),
        audit: audit.map(showAudit),
      };
    },
    "sessions.list": async ({ limit }) => {
      const rows = await read.select(sessionTable, { index: "by_last", descending: true, limit });
      return Promise.all(rows.map((row) => showSession(read, row)));
    },
    "sessions.show": async ({ id, limit }) => {
      const session = await findSession(read, id);
      const messages = await read.select(messageTable, {
        index: "by_session",
        equals: [session.session_id],
        descending: true,
        limit,
      });
      const shown = messages.toReversed().map(({ role, content, run_id, at }) => ({
        role,
        content: content as readonly JsonObject[],
        run_id,
        at: iso(at),
      }));
      const usage = await usageOfSession(read, session.session_id);
      const forked_from = await forkedFrom(read, session.session_id);
      return { ...(await showSession(read, session)), usage, forked_from, messages: shown };
    },
    "tasks.list": async ({ limit }) => {
      const rows = await read.select(taskTable, { index: "by_created", descending: true, limit });
      return rows.map(showTask);
    },
    "tasks.show": async ({ id }) => {
      const task = await findTask(read, id);
      const runs = await runsOfTask(read, id);
      return { ...showTask(task), runs: await Promise.all(runs.map((run) => showRun(read, run))) };
    },
  };
}

type RunFilter = ParsedParams<"runs.list">;

async function listRuns(read: CommittedReader, { trace, session, limit }: RunFilter) {
  if (trace === undefined) {
    const index =
      session === undefined ? { index: "by_started" } : { index: "by_session", equals: [session] };
    return read.select(runTable, { ...index, descending: true, limit });
  }
  const query = { index: "by_trace", equals: [trace], descending: true };
  const rows = await read.select(runTable, query);
  return rows.filter((row) => hasAll([[session, row.session_id]])).slice(0, limit);
}

async function showRun(read: CommittedReader, row: Run): Promise<ShownRun> {
  const { started_at, ended_at, seq: _seq, ...rest } = row;
  const live = await stateOfRun(read, row);
  const usage = await usageOfRun(read, row.run_id, addUsage(noUsage, row.usage));
  return {
    ...rest,
    usage,
    state: live,
    started_at: iso(started_at),
    ended_at: isoOrNull(ended_at),
  };
}

async function trustOf(read: CommittedReader, address: string): Promise<Trust | null> {
  const row = await read.get(actorTable, address);
  const known = trust.safeParse(storedContext(row?.snapshot ?? null)["trust"]);
  return known.success ? known.data : null;
}

/** The wait between two attempts to ask the model. */
async function waitOf(read: CommittedReader, address: string) {
  const snapshot = (await read.get(actorTable, address))?.snapshot ?? null;
  const life = isWhole(snapshot) ? snapshot.activities["callModel"] : undefined;
  if (life === undefined) return null;
  const row = await read.get(activityTable, `${address}/callModel#${life.seq}`);
  if (row?.status !== "pending" || row.failed === 0) return null;
  const { attempt, not_before, error } = row;
  return { attempt: attempt + 1, next_try_at: iso(not_before), code: error?.code ?? "" };
}

async function showSession(read: CommittedReader, row: Session): Promise<ShownSession> {
  const { state, created_at, last_at, closed_at, ...rest } = row;
  const live =
    state === "closed" ? "closed" : ((await read.get(actorTable, row.address))?.state ?? "unknown");
  return {
    ...rest,
    state: live,
    created_at: iso(created_at),
    last_at: iso(last_at),
    closed_at: isoOrNull(closed_at),
  };
}

function showStep({ started_at, ended_at, ...step }: Step): ShownStep {
  return { ...step, started_at: iso(started_at), ended_at: isoOrNull(ended_at) };
}
