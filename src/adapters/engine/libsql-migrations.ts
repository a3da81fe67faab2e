import { renameSync, rmSync } from "node:fs";
import { AgentError } from "../../schema/errors.ts";
import type { Table } from "../../schema/rows/table.ts";
import { copyInto } from "./libsql-backup.ts";
import { LibsqlConnection } from "../libsql/libsql-connection.ts";
import { schemaOf } from "./libsql-sql.ts";

/** A file carries its version in `user_version`. A new file is made whole from the table definitions; an older one goes
 *  through the migrations one by one. That both ways lead to the same schema is tested from test/golden/schema-v1.sql on. */

/** The SQL that turns version 1 into 2 is the first, 2 into 3 the second, and so on. What stands here is never changed. */
export const storeMigrations: readonly string[] = [
  `
ALTER TABLE "inbox" ADD COLUMN "mode" TEXT;
ALTER TABLE "inbox" ADD COLUMN "rank" INTEGER;
ALTER TABLE "inbox" ADD COLUMN "run_id" TEXT;
UPDATE "inbox" SET "mode" = 'follow_up', "rank" = 1;
DROP INDEX "inbox_by_owner";
CREATE INDEX "inbox_by_owner" ON "inbox" ("owner", "rank", "seq");
CREATE INDEX "inbox_by_mode" ON "inbox" ("owner", "mode", "seq");
CREATE INDEX "inbox_by_run" ON "inbox" ("run_id", "seq");
CREATE TABLE "joined_messages" (
  "seq" INTEGER PRIMARY KEY,
  "trace_id" TEXT,
  "run_id" TEXT,
  "run_trace_id" TEXT,
  "session_id" TEXT,
  "at" INTEGER
);
CREATE INDEX "joined_messages_by_trace" ON "joined_messages" ("trace_id", "seq");
CREATE TABLE "model_calls" (
  "n" INTEGER PRIMARY KEY,
  "at" INTEGER,
  "session_id" TEXT,
  "agent_id" TEXT,
  "run_id" TEXT,
  "trace_id" TEXT,
  "round" INTEGER,
  "attempt" INTEGER,
  "model" TEXT,
  "outcome" TEXT,
  "input_tokens" INTEGER,
  "output_tokens" INTEGER,
  "cache_read_tokens" INTEGER,
  "cache_write_tokens" INTEGER,
  "micro_usd" INTEGER
);
CREATE INDEX "model_calls_by_run" ON "model_calls" ("run_id", "n");
CREATE TABLE "usage_totals" (
  "scope" TEXT NOT NULL,
  "kind" TEXT,
  "last_at" INTEGER,
  "calls" INTEGER,
  "input_tokens" INTEGER,
  "output_tokens" INTEGER,
  "cache_read_tokens" INTEGER,
  "cache_write_tokens" INTEGER,
  "micro_usd" INTEGER,
  "unpriced_calls" INTEGER,
  PRIMARY KEY ("scope")
);
CREATE INDEX "usage_totals_by_kind" ON "usage_totals" ("kind", "last_at", "scope");
CREATE INDEX "usage_totals_by_last" ON "usage_totals" ("last_at", "scope");
ALTER TABLE "activities" ADD COLUMN "error" TEXT;
CREATE TABLE "history_cuts" (
  "session_id" TEXT NOT NULL,
  "from_position" INTEGER,
  "kept" TEXT,
  "made_at_position" INTEGER,
  PRIMARY KEY ("session_id")
);
ALTER TABLE "runs" ADD COLUMN "config_hash" TEXT;
CREATE TABLE "agent_configs" (
  "hash" TEXT NOT NULL,
  "agent_id" TEXT,
  "config" TEXT,
  "first_used_at" INTEGER,
  PRIMARY KEY ("hash")
);
INSERT INTO "timers" ("address", "id", "seq", "at", "event", "trace")
SELECT "address", 'xstate.after.sessionTtl.session.idle', "seq", "since" + 1800000,
  '{"type":"xstate.after.sessionTtl.session.idle"}', "trace"
FROM "actors"
WHERE "machine" = 'session' AND "version" = '1' AND "status" = 'active' AND "state" = 'idle'
  AND CASE WHEN json_valid("snapshot") THEN json_type("snapshot", '$.timers') = 'object' END;
UPDATE "actors"
SET "snapshot" = json_set("snapshot", '$.timers."xstate.after.sessionTtl.session.idle"', "seq")
WHERE "machine" = 'session' AND "address" IN (
  SELECT "address" FROM "timers" WHERE "id" = 'xstate.after.sessionTtl.session.idle'
);
`,
  `
ALTER TABLE "approvals" ADD COLUMN "terms" TEXT;
ALTER TABLE "approvals" ADD COLUMN "approvers" TEXT;
ALTER TABLE "approvals" ADD COLUMN "step_id" TEXT;
ALTER TABLE "approvals" ADD COLUMN "until" INTEGER;
UPDATE "approvals" SET "terms" = '', "approvers" = '[]', "step_id" = '';
CREATE INDEX "approvals_by_step" ON "approvals" ("step_id", "state", "created_at", "approval_id");
CREATE INDEX "approvals_by_created" ON "approvals" ("created_at", "approval_id");
ALTER TABLE "grants" ADD COLUMN "session_address" TEXT;
ALTER TABLE "grants" ADD COLUMN "scope" TEXT;
ALTER TABLE "grants" ADD COLUMN "effect" TEXT;
ALTER TABLE "grants" ADD COLUMN "pin" TEXT;
ALTER TABLE "grants" ADD COLUMN "terms" TEXT;
ALTER TABLE "grants" ADD COLUMN "accepted" TEXT;
ALTER TABLE "grants" ADD COLUMN "expires_at" INTEGER;
UPDATE "grants" SET "session_address" = "owner", "scope" = 'session', "effect" = 'allow', "terms" = '', "accepted" = '[]';
CREATE INDEX "grants_by_place" ON "grants" ("owner", "grant_id");
CREATE INDEX "grants_by_pattern" ON "grants" ("session_address", "tool", "capability", "given_at", "grant_id");
CREATE INDEX "grants_by_given" ON "grants" ("given_at", "grant_id");
ALTER TABLE "inbox" ADD COLUMN "boundary" TEXT;
ALTER TABLE "audit" ADD COLUMN "reason" TEXT;
CREATE TABLE "budget_holds" (
  "activity" TEXT NOT NULL,
  "model" TEXT,
  "input_tokens" INTEGER,
  "tokens" INTEGER,
  "micro_usd" INTEGER,
  "totals" TEXT,
  PRIMARY KEY ("activity")
);
CREATE TABLE "budget_held" (
  "total" TEXT NOT NULL,
  "holds" INTEGER,
  "tokens" INTEGER,
  "micro_usd" INTEGER,
  PRIMARY KEY ("total")
);
CREATE TABLE "budget_allowances" (
  "total" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "up_to" INTEGER,
  "more" INTEGER,
  "approval_id" TEXT,
  "given_by" TEXT,
  "given_at" INTEGER,
  PRIMARY KEY ("total", "kind")
);
CREATE INDEX "budget_allowances_by_given" ON "budget_allowances" ("given_at", "total", "kind");
CREATE TABLE "file_origins" (
  "workspace" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "origins" TEXT,
  "at" INTEGER,
  PRIMARY KEY ("workspace", "path")
);
CREATE INDEX "file_origins_by_workspace" ON "file_origins" ("workspace", "path");
`,
  `
ALTER TABLE "mail" ADD COLUMN "creates" TEXT;
ALTER TABLE "mail" ADD COLUMN "refused" TEXT;
CREATE TABLE "connector_updates" (
  "connector_id" TEXT NOT NULL,
  "update_id" TEXT NOT NULL,
  "trace_id" TEXT,
  "scope" TEXT,
  "message_id" TEXT,
  "user_scope" TEXT,
  "at" INTEGER,
  "verdict" TEXT,
  PRIMARY KEY ("connector_id", "update_id")
);
CREATE INDEX "connector_updates_by_at" ON "connector_updates" ("at", "connector_id", "update_id");
CREATE INDEX "connector_updates_by_trace" ON "connector_updates" ("trace_id", "at", "connector_id", "update_id");
CREATE INDEX "connector_updates_by_message" ON "connector_updates" ("connector_id", "scope", "message_id", "at", "update_id");
CREATE TABLE "rate_buckets" (
  "owner" TEXT NOT NULL,
  "tokens" REAL,
  "at" INTEGER,
  "refused" INTEGER,
  "told_at" INTEGER,
  PRIMARY KEY ("owner")
);
CREATE INDEX "rate_buckets_by_at" ON "rate_buckets" ("at", "owner");
CREATE TABLE "pairings" (
  "connector_id" TEXT NOT NULL,
  "user_scope" TEXT NOT NULL,
  "name" TEXT,
  "scope" TEXT,
  "code" TEXT,
  "state" TEXT,
  "created_at" INTEGER,
  "expires_at" INTEGER,
  "decided_at" INTEGER,
  "decided_by" TEXT,
  PRIMARY KEY ("connector_id", "user_scope")
);
CREATE INDEX "pairings_by_code" ON "pairings" ("code", "created_at", "connector_id", "user_scope");
CREATE INDEX "pairings_by_state" ON "pairings" ("connector_id", "state", "created_at", "user_scope");
CREATE INDEX "pairings_by_created" ON "pairings" ("created_at", "connector_id", "user_scope");
CREATE INDEX "pairings_by_age" ON "pairings" ("state", "created_at", "connector_id", "user_scope");
CREATE TABLE "chosen_agents" (
  "connector_id" TEXT NOT NULL,
  "scope" TEXT NOT NULL,
  "user_scope" TEXT NOT NULL,
  "agent_id" TEXT,
  "at" INTEGER,
  PRIMARY KEY ("connector_id", "scope", "user_scope")
);
CREATE TABLE "deliveries" (
  "delivery_id" TEXT NOT NULL,
  "seq" INTEGER,
  "address" TEXT,
  "connector_id" TEXT,
  "scope" TEXT,
  "kind" TEXT,
  "about" TEXT,
  "text" TEXT,
  "reply_to" TEXT,
  "edits" TEXT,
  "state" TEXT,
  "open" INTEGER,
  "message_ids" TEXT,
  "attempts" INTEGER,
  "error" TEXT,
  "resends" TEXT,
  "resent_as" TEXT,
  "trace_id" TEXT,
  "created_at" INTEGER,
  "ended_at" INTEGER,
  PRIMARY KEY ("delivery_id")
);
CREATE INDEX "deliveries_by_lane" ON "deliveries" ("connector_id", "scope", "open", "seq", "delivery_id");
CREATE INDEX "deliveries_by_about" ON "deliveries" ("about", "seq", "delivery_id");
CREATE INDEX "deliveries_by_state" ON "deliveries" ("state", "seq", "delivery_id");
CREATE INDEX "deliveries_by_seq" ON "deliveries" ("seq", "delivery_id");
CREATE INDEX "deliveries_by_age" ON "deliveries" ("open", "created_at", "delivery_id");
CREATE TABLE "previews" (
  "run_id" TEXT NOT NULL,
  "connector_id" TEXT,
  "scope" TEXT,
  "message_id" TEXT,
  "at" INTEGER,
  PRIMARY KEY ("run_id")
);
CREATE INDEX "previews_by_at" ON "previews" ("at", "run_id");
CREATE TABLE "open_fetches" (
  "address" TEXT NOT NULL,
  "connector_id" TEXT,
  "scope" TEXT,
  "user_scope" TEXT,
  "at" INTEGER,
  PRIMARY KEY ("address")
);
CREATE INDEX "open_fetches_by_owner" ON "open_fetches" ("address", "at");
CREATE INDEX "open_fetches_by_person" ON "open_fetches" ("connector_id", "scope", "user_scope", "at", "address");
`,
  `
ALTER TABLE "history_cuts" ADD COLUMN "summary" TEXT;
ALTER TABLE "history_cuts" ADD COLUMN "summary_until" INTEGER;
UPDATE "history_cuts" SET "summary_until" = 0;
CREATE TABLE "past_cuts" (
  "session_id" TEXT NOT NULL,
  "from_position" INTEGER,
  "kept" TEXT,
  "made_at_position" INTEGER NOT NULL,
  "summary" TEXT,
  "summary_until" INTEGER,
  PRIMARY KEY ("session_id", "made_at_position")
);
CREATE INDEX "past_cuts_by_session" ON "past_cuts" ("session_id", "made_at_position");
ALTER TABLE "runs" ADD COLUMN "trust" TEXT;
ALTER TABLE "runs" ADD COLUMN "forgotten_at" INTEGER;
CREATE TABLE "forgotten_sessions" (
  "session_id" TEXT NOT NULL,
  "forgotten_at" INTEGER,
  PRIMARY KEY ("session_id")
);
CREATE TABLE "memory_changes" (
  "change_id" TEXT NOT NULL,
  "n" INTEGER,
  "at" INTEGER,
  "path" TEXT,
  "partition" TEXT,
  "kind" TEXT,
  "by" TEXT,
  "reason" TEXT,
  "before" TEXT,
  "after" TEXT,
  "added" INTEGER,
  "removed" INTEGER,
  "trace_id" TEXT,
  "session_id" TEXT,
  PRIMARY KEY ("change_id")
);
CREATE INDEX "memory_changes_by_n" ON "memory_changes" ("n", "change_id");
CREATE INDEX "memory_changes_by_path" ON "memory_changes" ("path", "n", "change_id");
CREATE INDEX "memory_changes_by_session" ON "memory_changes" ("session_id", "n", "change_id");
CREATE INDEX "memory_changes_by_at" ON "memory_changes" ("at", "change_id");
CREATE TABLE "memory_files" (
  "path" TEXT NOT NULL,
  "partition" TEXT,
  "hash" TEXT,
  "bytes" INTEGER,
  "seen_at" INTEGER,
  PRIMARY KEY ("path")
);
CREATE TABLE "recalls" (
  "run_id" TEXT NOT NULL,
  "session_id" TEXT,
  "at" INTEGER,
  "hits" TEXT,
  PRIMARY KEY ("run_id")
);
CREATE INDEX "recalls_by_at" ON "recalls" ("at", "run_id");
CREATE TABLE "memory_considered" (
  "path" TEXT NOT NULL,
  "partition" TEXT,
  "entries" TEXT,
  PRIMARY KEY ("path")
);
CREATE INDEX "memory_considered_by_partition" ON "memory_considered" ("partition", "path");
CREATE TABLE "memory_unanswered" (
  "partition" TEXT NOT NULL,
  "question_mark" TEXT,
  PRIMARY KEY ("partition")
);
`,
];

export function latestVersion(migrations: readonly string[]): number {
  return migrations.length + 1;
}

export type DatabaseFile = {
  readonly path: string;
  /** What SQLite opens. */
  readonly name: string;
};

/** The version of an existing file, read without touching it; 0 for a file that holds nothing yet. */
export function versionOf({ path, name }: DatabaseFile, migrations: readonly string[]): number {
  const connection = new LibsqlConnection(name, 5000);
  try {
    const version = Number(connection.value("PRAGMA user_version"));
    const latest = latestVersion(migrations);
    if (version > latest) {
      throw new AgentError(
        "store.newer",
        `${path} has version ${version}; this statehive knows versions up to ${latest}`,
        {
          hint: "update statehive, or restore an older copy",
        },
      );
    }
    if (version === 0 && connection.value("SELECT count(*) FROM sqlite_master") !== 0) {
      throw new AgentError("store.corrupt", `${path} is a database, but not one of statehive's`);
    }
    return version;
  } finally {
    connection.close();
  }
}

export type SchemaSource = {
  readonly tables: readonly Table[];
  readonly migrations: readonly string[];
};

/** Brings the file to the latest version, in one transaction, with a copy of an existing file before. */
export async function bringUpToDate(
  connection: LibsqlConnection,
  path: string,
  source: SchemaSource,
): Promise<void> {
  const version = Number(connection.value("PRAGMA user_version"));
  const latest = latestVersion(source.migrations);
  if (version === latest) return;
  if (version > 0) await copyBefore(connection, `${path}.before-v${latest}`);
  const steps = version === 0 ? [schemaOf(source.tables)] : source.migrations.slice(version - 1);
  connection.exec("BEGIN IMMEDIATE");
  try {
    for (const step of steps) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${latest}`);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

async function copyBefore(connection: LibsqlConnection, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { force: true });
  await copyInto(unfinished, (sql) => connection.execBeside(sql));
  renameSync(unfinished, target);
}
