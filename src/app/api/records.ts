import type { CommittedReader } from "../../ports/store.ts";
import { auditTable } from "../../schema/rows/audit-rows.ts";
import { budgetScopes } from "../../schema/budget.ts";
import type { JsonObject } from "../../schema/json.ts";
import { stepTable, taskTable } from "../../schema/rows/run-rows.ts";
import { messageTable, sessionTable } from "../../schema/rows/session-rows.ts";
import { forkedFrom } from "../fork/forked-from.ts";
import type { BudgetsOf } from "../records/budgets-of.ts";
import { findRun, findSession, findTask, runsOfTask } from "../records/find.ts";
import { listRuns } from "../records/list-runs.ts";
import { modelCallOf, trustOf, waitOf } from "../records/run-now.ts";
import { iso, showAudit, showTask } from "../records/shown.ts";
import { recalledBy } from "../records/recalled-by.ts";
import { showRun, showStep } from "../records/shown-run.ts";
import { shortenedOf } from "../records/shortened.ts";
import { showSession } from "../records/shown-session.ts";
import { usageOfSession } from "../records/usage-of.ts";
import type { Handlers } from "./caller.ts";

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
      return {
        ...run,
        recalled: await recalledBy(read, id),
        waits: waitOf(await modelCallOf(read, run.address)),
        budgets,
        trust: await trustOf(read, run.address),
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
      const shortened = await shortenedOf(read, session.session_id);
      const known = await showSession(read, session);
      return { ...known, usage, forked_from, shortened, messages: shown };
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
