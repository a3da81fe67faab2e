CREATE TABLE "actors" (
  "address" TEXT NOT NULL,
  "machine" TEXT,
  "version" TEXT,
  "parent" TEXT,
  "supervisor" TEXT,
  "restart" TEXT,
  "input" TEXT,
  "snapshot" TEXT,
  "state" TEXT,
  "tags" TEXT,
  "status" TEXT,
  "seq" INTEGER,
  "since" INTEGER,
  "trace" TEXT,
  "created_at" INTEGER,
  "ended_at" INTEGER,
  "error" TEXT,
  PRIMARY KEY ("address")
);
CREATE INDEX "actors_by_version" ON "actors" ("status", "machine", "version", "address");
CREATE INDEX "actors_by_parent" ON "actors" ("parent", "status", "address");
CREATE INDEX "actors_by_end" ON "actors" ("ended_at", "address");

CREATE TABLE "mail" (
  "id" INTEGER PRIMARY KEY,
  "address" TEXT,
  "event" TEXT,
  "origin" TEXT,
  "trace" TEXT,
  "cause" INTEGER,
  "source" TEXT,
  "birth" TEXT,
  "creates" TEXT,
  "refused" TEXT,
  "at" INTEGER,
  "attempts" INTEGER
);

CREATE TABLE "timers" (
  "address" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "seq" INTEGER,
  "at" INTEGER,
  "event" TEXT,
  "trace" TEXT,
  PRIMARY KEY ("address", "id")
);
CREATE INDEX "timers_due" ON "timers" ("at", "seq", "address", "id");

CREATE TABLE "activities" (
  "key" TEXT NOT NULL,
  "address" TEXT,
  "id" TEXT,
  "src" TEXT,
  "seq" INTEGER,
  "input" TEXT,
  "recovery" TEXT,
  "attempt" INTEGER,
  "failed" INTEGER,
  "lost" INTEGER,
  "status" TEXT,
  "not_before" INTEGER,
  "trace" TEXT,
  "error" TEXT,
  PRIMARY KEY ("key")
);
CREATE INDEX "activities_queue" ON "activities" ("src", "status", "not_before", "seq", "key");

CREATE TABLE "journal" (
  "seq" INTEGER PRIMARY KEY,
  "at" INTEGER,
  "address" TEXT,
  "machine" TEXT,
  "event_type" TEXT,
  "event" TEXT,
  "origin" TEXT,
  "outcome" TEXT,
  "reason" TEXT,
  "state_before" TEXT,
  "state_after" TEXT,
  "trace" TEXT,
  "cause" INTEGER
);
CREATE INDEX "journal_by_address" ON "journal" ("address", "seq");
CREATE INDEX "journal_by_trace" ON "journal" ("trace", "seq");

CREATE TABLE "dead_letters" (
  "seq" INTEGER PRIMARY KEY,
  "at" INTEGER,
  "address" TEXT,
  "event" TEXT,
  "reason" TEXT,
  "error" TEXT,
  "trace" TEXT
);

CREATE TABLE "idempotency" (
  "key" TEXT NOT NULL,
  "seq" INTEGER,
  "outcome" TEXT,
  "state" TEXT,
  "reason" TEXT,
  "at" INTEGER,
  PRIMARY KEY ("key")
);
CREATE INDEX "idempotency_by_at" ON "idempotency" ("at", "key");

CREATE TABLE "counters" (
  "name" TEXT NOT NULL,
  "value" INTEGER,
  PRIMARY KEY ("name")
);

CREATE TABLE "sessions" (
  "session_id" TEXT NOT NULL,
  "key" TEXT,
  "address" TEXT,
  "agent_id" TEXT,
  "state" TEXT,
  "created_at" INTEGER,
  "last_at" INTEGER,
  "closed_at" INTEGER,
  PRIMARY KEY ("session_id")
);
CREATE INDEX "sessions_by_key" ON "sessions" ("key", "created_at", "session_id");
CREATE INDEX "sessions_by_last" ON "sessions" ("last_at", "session_id");

CREATE TABLE "messages" (
  "position" INTEGER PRIMARY KEY,
  "session_id" TEXT,
  "run_id" TEXT,
  "role" TEXT,
  "content" TEXT,
  "at" INTEGER
);
CREATE INDEX "messages_by_session" ON "messages" ("session_id", "position");

CREATE TABLE "history_cuts" (
  "session_id" TEXT NOT NULL,
  "from_position" INTEGER,
  "kept" TEXT,
  "made_at_position" INTEGER,
  PRIMARY KEY ("session_id")
);

CREATE TABLE "inbox" (
  "seq" INTEGER PRIMARY KEY,
  "owner" TEXT,
  "text" TEXT,
  "trace" TEXT,
  "at" INTEGER,
  "mode" TEXT,
  "rank" INTEGER,
  "run_id" TEXT,
  "boundary" TEXT
);
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

CREATE TABLE "tasks" (
  "task_id" TEXT NOT NULL,
  "session_id" TEXT,
  "agent_id" TEXT,
  "trace_id" TEXT,
  "text" TEXT,
  "boundary" TEXT,
  "state" TEXT,
  "created_at" INTEGER,
  "ended_at" INTEGER,
  PRIMARY KEY ("task_id")
);
CREATE INDEX "tasks_by_created" ON "tasks" ("created_at", "task_id");

CREATE TABLE "runs" (
  "run_id" TEXT NOT NULL,
  "seq" INTEGER,
  "address" TEXT,
  "session_id" TEXT,
  "agent_id" TEXT,
  "task_id" TEXT,
  "trace_id" TEXT,
  "state" TEXT,
  "started_at" INTEGER,
  "ended_at" INTEGER,
  "usage" TEXT,
  "reply" TEXT,
  "error" TEXT,
  "config_hash" TEXT,
  PRIMARY KEY ("run_id")
);
CREATE INDEX "runs_by_started" ON "runs" ("seq", "run_id");
CREATE INDEX "runs_by_trace" ON "runs" ("trace_id", "seq", "run_id");
CREATE INDEX "runs_by_session" ON "runs" ("session_id", "seq", "run_id");

CREATE TABLE "agent_configs" (
  "hash" TEXT NOT NULL,
  "agent_id" TEXT,
  "config" TEXT,
  "first_used_at" INTEGER,
  PRIMARY KEY ("hash")
);

CREATE TABLE "steps" (
  "step_id" TEXT NOT NULL,
  "run_id" TEXT,
  "number" INTEGER,
  "action" TEXT,
  "started_at" INTEGER,
  "ended_at" INTEGER,
  PRIMARY KEY ("step_id")
);
CREATE INDEX "steps_by_run" ON "steps" ("run_id", "number", "step_id");

CREATE TABLE "approvals" (
  "approval_id" TEXT NOT NULL,
  "address" TEXT,
  "kind" TEXT,
  "state" TEXT,
  "tool" TEXT,
  "summary" TEXT,
  "risk" TEXT,
  "input" TEXT,
  "binding" TEXT,
  "reason" TEXT,
  "requested" TEXT,
  "proposed_grants" TEXT,
  "terms" TEXT,
  "approvers" TEXT,
  "options" TEXT,
  "default_answer" TEXT,
  "session_id" TEXT,
  "run_id" TEXT,
  "step_id" TEXT,
  "agent_id" TEXT,
  "trace_id" TEXT,
  "created_at" INTEGER,
  "expires_at" INTEGER,
  "decided_at" INTEGER,
  "decided_by" TEXT,
  "scope" TEXT,
  "until" INTEGER,
  "answer" TEXT,
  PRIMARY KEY ("approval_id")
);
CREATE INDEX "approvals_by_state" ON "approvals" ("state", "created_at", "approval_id");
CREATE INDEX "approvals_by_session" ON "approvals" ("session_id", "state", "created_at", "approval_id");
CREATE INDEX "approvals_by_step" ON "approvals" ("step_id", "state", "created_at", "approval_id");
CREATE INDEX "approvals_by_created" ON "approvals" ("created_at", "approval_id");

CREATE TABLE "grants" (
  "grant_id" TEXT NOT NULL,
  "session_address" TEXT,
  "owner" TEXT,
  "scope" TEXT,
  "effect" TEXT,
  "tool" TEXT,
  "capability" TEXT,
  "pin" TEXT,
  "terms" TEXT,
  "accepted" TEXT,
  "approval_id" TEXT,
  "given_by" TEXT,
  "given_at" INTEGER,
  "expires_at" INTEGER,
  PRIMARY KEY ("grant_id")
);
CREATE INDEX "grants_by_owner" ON "grants" ("owner", "given_at", "grant_id");
CREATE INDEX "grants_by_place" ON "grants" ("owner", "grant_id");
CREATE INDEX "grants_by_pattern" ON "grants" ("session_address", "tool", "capability", "given_at", "grant_id");
CREATE INDEX "grants_by_given" ON "grants" ("given_at", "grant_id");

CREATE TABLE "slots" (
  "address" TEXT NOT NULL,
  "state" TEXT,
  "seq" INTEGER,
  PRIMARY KEY ("address")
);
CREATE INDEX "slots_by_state" ON "slots" ("state", "seq", "address");
CREATE INDEX "slots_by_owner" ON "slots" ("address", "seq");

CREATE TABLE "file_origins" (
  "workspace" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "origins" TEXT,
  "at" INTEGER,
  PRIMARY KEY ("workspace", "path")
);
CREATE INDEX "file_origins_by_workspace" ON "file_origins" ("workspace", "path");

CREATE TABLE "audit" (
  "n" INTEGER PRIMARY KEY,
  "at" INTEGER,
  "kind" TEXT,
  "trace_id" TEXT,
  "task_id" TEXT,
  "run_id" TEXT,
  "step_id" TEXT,
  "session" TEXT,
  "agent" TEXT,
  "tool_call_id" TEXT,
  "tool" TEXT,
  "input" TEXT,
  "input_hash" TEXT,
  "requested_capabilities" TEXT,
  "granted_capabilities" TEXT,
  "approval_required" INTEGER,
  "approval_result" TEXT,
  "decided_by" TEXT,
  "start_at" INTEGER,
  "end_at" INTEGER,
  "status" TEXT,
  "reason" TEXT,
  "error" TEXT,
  "prev_hash" TEXT,
  "hash" TEXT
);
CREATE INDEX "audit_by_run" ON "audit" ("run_id", "n");
CREATE INDEX "audit_by_trace" ON "audit" ("trace_id", "n");

CREATE TABLE "audit_head" (
  "name" TEXT NOT NULL,
  "n" INTEGER,
  "hash" TEXT,
  PRIMARY KEY ("name")
);

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
