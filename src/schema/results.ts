import { z } from "zod";
import { trust } from "./contexts.ts";
import {
  actorDetails,
  actorStateRow,
  actorStep,
  deadLetter,
  quarantinedActor,
  sendAnswer,
} from "./actor-view.ts";
import { chartDetails, chartSummary } from "./chart-view.ts";
import { decisionScopes } from "./permission-rows.ts";
import { queueModes } from "./queue.ts";
import { inspectedActor } from "./inspected.ts";
import { logRecord } from "./log-record.ts";
import { sidecarEvent } from "./news.ts";
import { forkedRun, replayPage, runMoment } from "./replay.ts";
import { alert, logHealth, shownBus, shownMetrics } from "./observed.ts";
import {
  errorData,
  shownAgent,
  shownAgentDetails,
  isoTime,
  shownApproval,
  shownBudget,
  shownAudit,
  shownGrant,
  shownMark,
  shownMessage,
  shownRun,
  shownSession,
  shownStep,
  shownTask,
  shownUsage,
  strings,
} from "./shown.ts";

/** What the service answers, by method. */

export const serviceStatus = z.strictObject({
  pid: z.int(),
  state: z.string(),
  version: z.string(),
  home: z.string(),
  started_at: isoTime,
  degraded: errorData.nullable(),
  /** Since when the configuration on disk is known to have faults, so that an earlier one is at work. */
  config_broken_since: isoTime.nullable(),
  /** The enabled ones. */
  agents: strings,
  /** Who answers for the default agent: `offline/rules`. */
  model: z.string(),
  sessions: z.int(),
  runs: z.int(),
  approvals: z.int(),
  quarantined: z.int(),
  dead_letters: z.int(),
  queued: z.int(),
  /** Runs whose model or tools work at this moment: what a stop waits for. */
  working: z.int(),
  /** Of this day in UTC. */
  today: shownUsage,
  /** Of which less than a fifth is left: of this day, and of runs that work or wait. */
  tight_budgets: z.array(shownBudget).readonly(),
  /** Newest first; questions that were answered have left. */
  alerts: z.array(alert).readonly(),
  bus: shownBus,
  metrics: shownMetrics,
  log: logHealth,
});

export const chainReport = z.strictObject({
  ok: z.boolean(),
  rows: z.int(),
  /** The row that breaks the chain. */
  fault: z.strictObject({ n: z.int(), message: z.string() }).nullable(),
});

const changed = z.strictObject({ added: strings, changed: strings, removed: strings });

const configReloaded = z.strictObject({
  agents: changed,
  providers: changed,
  /** Keys of the other files that have another value now. */
  settings: strings,
  /** Of the keys that changed since the service has started, those that its next start takes up. */
  needs_restart: strings,
  /** Settings without effect. */
  warnings: strings,
});

const answered = z.strictObject({ id: z.string(), state: z.string() });
/** With how far it really reaches: once, where nothing narrow could be said of other calls. */
const decided = answered.extend({
  scope: z.enum(decisionScopes).nullable(),
  until: isoTime.nullable(),
});
const many = <T extends z.ZodType>(shape: T) => z.array(shape).readonly();

export const methodResults = {
  "hello": z.strictObject({
    protocol: z.int(),
    version: z.string(),
    pid: z.int(),
    home: z.string(),
    started_at: isoTime,
  }),
  "status": serviceStatus,
  "shutdown": z.strictObject({ working: z.int() }),
  "backup": z.strictObject({ file: z.string(), bytes: z.int(), rows: z.int() }),
  "config.reload": configReloaded,
  "agents.list": many(shownAgent),
  "agents.show": shownAgentDetails.extend({
    /** Its limits of this day; null where no service was there to ask. */
    budgets: many(shownBudget).nullable(),
  }),
  "machines.list": many(chartSummary),
  "machines.show": chartDetails,
  "actors.tree": many(actorStateRow),
  "actor.get": actorDetails,
  "actors.dead": z.strictObject({
    dead_letters: many(deadLetter),
    quarantined: many(quarantinedActor),
  }),
  "actor.send": sendAnswer,
  "actors.subscribe": z.strictObject({ rows: many(actorStateRow), steps: many(actorStep) }),
  "actors.inspect": z.strictObject({ actors: many(inspectedActor) }),
  "actors.inspect.stop": z.strictObject({}),
  "chat.agent": shownAgent,
  "chat.send": z.strictObject({
    session_id: z.string(),
    address: z.string(),
    agent_id: z.string(),
    trace_id: z.string(),
    /** True when a run works already and the message waits. */
    queued: z.boolean(),
    /** What it waits for: its turn, the run's next model call, the run's end, or others like it. */
    queue: z.enum(queueModes),
    /** What the present run waits for, when it waits for a person. */
    waiting_for: many(shownApproval),
  }),
  "chat.follow": z.strictObject({
    run_id: z.string(),
    trace_id: z.string(),
    agent_id: z.string(),
  }),
  "approvals.list": many(shownApproval),
  "approvals.show": shownApproval,
  "approvals.decide": decided,
  "approvals.step": z.strictObject({
    step_id: z.string(),
    /** What `approvals.decide_step` is asked with. */
    binding: z.string(),
    /** More than can be allowed together. */
    too_long: z.boolean(),
    approvals: many(shownApproval),
  }),
  "approvals.decide_step": z.strictObject({
    step_id: z.string(),
    decided: many(decided),
    /** Those that did not take the word, and why. */
    failed: many(z.strictObject({ id: z.string(), error: errorData })),
  }),
  "approvals.answer": answered,
  "grants.list": many(shownGrant),
  "grants.revoke": shownGrant,
  "marks.list": many(shownMark),
  "marks.clear": shownMark,
  "runs.list": many(shownRun),
  "runs.show": shownRun.extend({
    steps: many(shownStep),
    audit: many(shownAudit),
    /** All that its model calls count against; none once it has ended. */
    budgets: many(shownBudget),
    /** While the provider is not asked again yet, and why. */
    waits: z.strictObject({ attempt: z.int(), next_try_at: isoTime, code: z.string() }).nullable(),
    /** Where that came from which it knows; null once its actor's row is gone, some days after its end. */
    trust: trust.nullable(),
  }),
  "runs.cancel": sendAnswer,
  "runs.replay": replayPage,
  "runs.moment": runMoment,
  "runs.fork": forkedRun,
  "sessions.list": many(shownSession),
  "sessions.show": shownSession.extend({
    usage: shownUsage,
    /** The step of another conversation's run that it begins with. */
    forked_from: z.strictObject({ run_id: z.string(), at: z.int() }).nullable(),
    messages: many(shownMessage),
  }),
  "sessions.reset": sendAnswer,
  "tasks.list": many(shownTask),
  "tasks.show": shownTask.extend({ runs: many(shownRun) }),
  "tasks.cancel": sendAnswer,
  "usage.totals": many(
    shownUsage.extend({
      name: z.string(),
      last_at: isoTime,
      /** The limits on this total, as configured now; of an agent: on its present day. */
      budgets: many(shownBudget),
    }),
  ),
  "audit.query": many(shownAudit),
  "audit.export": z.strictObject({
    rows: many(shownAudit),
    /** Null after the last page. */
    next: z.int().nullable(),
  }),
  "audit.verify": chainReport,
  "events.subscribe": z.strictObject({ events: many(sidecarEvent) }),
  "logs.tail": z.strictObject({ records: many(logRecord) }),
} as const;

export type ServiceStatus = z.output<typeof serviceStatus>;
export type ChainReport = z.output<typeof chainReport>;
