import { z } from "zod";
import { trust } from "../contexts/trust.ts";
import {
  actorDetails,
  actorStateRow,
  actorStep,
  deadLetter,
  quarantinedActor,
  sendAnswer,
} from "../shown/actor-view.ts";
import { chartDetails, chartSummary } from "../shown/chart-view.ts";
import { decisionScopes } from "../rows/permission-rows.ts";
import { queueModes } from "../queue.ts";
import { inspectedActor } from "../shown/inspected.ts";
import { logRecord } from "../shown/log-record.ts";
import { sidecarEvent } from "../shown/news.ts";
import { forkedRun, replayPage, runMoment } from "../shown/replay.ts";
import {
  shownConnector,
  shownConnectorDetails,
  shownDelivery,
  shownDeliveryDetails,
  shownPairing,
} from "../shown/shown-channels.ts";
import { schedulesInShort, shownSchedule } from "../shown/shown-schedules.ts";
import {
  changedMemoryFile,
  forgotten,
  consolidated,
  memoryStats,
  shownMemoryChange,
  shownMemoryDiff,
  shownMemoryFiles,
  shownMemoryHit,
  shownMemoryText,
} from "../shown/shown-memory.ts";
import { alert, logHealth, shownBus, shownMetrics } from "../shown/observed.ts";
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
} from "../shown/shown.ts";

/** What the service answers, by method. */

export const serviceStatus = z.strictObject({
  pid: z.int(),
  state: z.string(),
  version: z.string(),
  home: z.string(),
  started_at: isoTime,
  degraded: errorData.nullable(),
  config_broken_since: isoTime
    .nullable()
    .describe(
      "Since when the configuration on disk is known to have faults, so that an earlier one is at work.",
    ),
  agents: strings.describe("The enabled ones."),
  model: z.string().describe("Who answers for the default agent: `offline/rules`."),
  sessions: z.int(),
  runs: z.int(),
  approvals: z.int(),
  quarantined: z.int(),
  dead_letters: z.int(),
  queued: z.int(),
  working: z
    .int()
    .describe("Runs whose model or tools work at this moment: what a stop waits for."),
  today: shownUsage.describe("Of this day in UTC."),
  tight_budgets: z
    .array(shownBudget)
    .readonly()
    .describe("Of which less than a fifth is left: of this day, and of runs that work or wait."),
  connectors: z
    .array(z.strictObject({ id: z.string(), state: z.string(), needs: z.string() }))
    .readonly()
    .describe("Those that receive nothing until a person does what they need."),
  deliveries: z
    .strictObject({ open: z.int(), unknown: z.int(), dead: z.int() })
    .describe("Messages to people on their way; and those that need somebody."),
  pairings: z.int().describe("People who ask to be let in."),
  schedules: schedulesInShort.describe("What is done at set times."),
  memory: z
    .strictObject({
      files: z.int(),
      chunks: z.int().describe("Pieces that are found, of past tasks too."),
      embedded: z.int().describe("Chunks that have a vector; all of them once it has caught up."),
      embedder: z.string().nullable(),
      trouble: z.string().nullable().describe("Why vectors are missing, while they are."),
    })
    .nullable()
    .describe("Null: its index cannot be read."),
  alerts: z
    .array(alert)
    .readonly()
    .describe("Newest first; questions that were answered have left."),
  bus: shownBus,
  metrics: shownMetrics,
  log: logHealth,
});

export const chainReport = z.strictObject({
  ok: z.boolean(),
  rows: z.int(),
  fault: z
    .strictObject({ n: z.int(), message: z.string() })
    .nullable()
    .describe("The row that breaks the chain."),
});

const changed = z.strictObject({ added: strings, changed: strings, removed: strings });

const configReloaded = z.strictObject({
  agents: changed,
  providers: changed,
  settings: strings.describe("Keys of the other files that have another value now."),
  needs_restart: strings.describe(
    "Of the keys that changed since the service has started, those that its next start takes up.",
  ),
  warnings: strings.describe("Settings without effect."),
});

const answered = z.strictObject({ id: z.string(), state: z.string() });
const decided = answered
  .extend({
    scope: z.enum(decisionScopes).nullable(),
    until: isoTime.nullable(),
  })
  .describe(
    "With how far it really reaches: once, where nothing narrow could be said of other calls.",
  );
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
    budgets: many(shownBudget)
      .nullable()
      .describe("Its limits of this day; null where no service was there to ask."),
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
    queued: z.boolean().describe("True when a run works already and the message waits."),
    queue: z
      .enum(queueModes)
      .describe(
        "What it waits for: its turn, the run's next model call, the run's end, or others like it.",
      ),
    waiting_for: many(shownApproval).describe(
      "What the present run waits for, when it waits for a person.",
    ),
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
    binding: z.string().describe("What `approvals.decide_step` is asked with."),
    too_long: z.boolean().describe("More than can be allowed together."),
    approvals: many(shownApproval),
  }),
  "approvals.decide_step": z.strictObject({
    step_id: z.string(),
    decided: many(decided),
    failed: many(z.strictObject({ id: z.string(), error: errorData })).describe(
      "Those that did not take the word, and why.",
    ),
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
    budgets: many(shownBudget).describe(
      "All that its model calls count against; none once it has ended.",
    ),
    recalled: many(shownMemoryHit).describe(
      "What its model was reminded of before the person's words; no more once it was forgotten, or retention took it.",
    ),
    waits: z
      .strictObject({ attempt: z.int(), next_try_at: isoTime, code: z.string() })
      .nullable()
      .describe("While the provider is not asked again yet, and why."),
    trust: trust
      .nullable()
      .describe(
        "Where that came from which it knows; null once its actor's row is gone, some days after its end.",
      ),
  }),
  "runs.cancel": sendAnswer,
  "runs.replay": replayPage,
  "runs.moment": runMoment,
  "runs.fork": forkedRun,
  "sessions.list": many(shownSession),
  "sessions.show": shownSession.extend({
    usage: shownUsage,
    forked_from: z
      .strictObject({ run_id: z.string(), at: z.int() })
      .nullable()
      .describe("The step of another conversation's run that it begins with."),
    shortened: z
      .strictObject({
        shown_since: isoTime
          .nullable()
          .describe("When that was said with which it begins now; null: with the next message."),
        summary: z
          .string()
          .nullable()
          .describe("What stands for what was said before; null: it is left out."),
        is_whole: z.boolean().describe("The summary tells of all that was said before."),
      })
      .nullable()
      .describe("Since it had grown too long for what its model is shown; null: it is whole."),
    messages: many(shownMessage),
  }),
  "sessions.compact": sendAnswer,
  "sessions.reset": sendAnswer,
  "tasks.list": many(shownTask),
  "tasks.show": shownTask.extend({ runs: many(shownRun) }),
  "tasks.cancel": sendAnswer,
  "usage.totals": many(
    shownUsage.extend({
      name: z.string(),
      last_at: isoTime,
      budgets: many(shownBudget).describe(
        "The limits on this total, as configured now; of an agent: on its present day.",
      ),
    }),
  ),
  "connectors.list": many(shownConnector),
  "connectors.status": many(shownConnectorDetails),
  "connectors.start": answered,
  "connectors.stop": answered,
  "pairings.list": many(shownPairing),
  "pairings.approve": shownPairing,
  "pairings.revoke": shownPairing,
  "deliveries.list": many(shownDelivery),
  "deliveries.show": shownDeliveryDetails,
  "deliveries.resend": shownDelivery,
  "deliveries.cancel": sendAnswer,
  "schedules.list": many(shownSchedule),
  "schedules.show": shownSchedule,
  "schedules.run": shownSchedule,
  "schedules.pause": shownSchedule,
  "schedules.resume": shownSchedule,
  "schedules.remove": answered,
  "memory.search": many(shownMemoryHit),
  "memory.files": shownMemoryFiles,
  "memory.show": shownMemoryText,
  "memory.log": many(shownMemoryChange),
  "memory.diff": shownMemoryDiff,
  "memory.stats": memoryStats,
  "memory.restore": z.strictObject({ changed: many(changedMemoryFile) }),
  "memory.forget": forgotten,
  "memory.consolidate": many(consolidated),
  "memory.reindex": memoryStats,
  "audit.query": many(shownAudit),
  "audit.export": z.strictObject({
    rows: many(shownAudit),
    next: z.int().nullable().describe("Null after the last page."),
  }),
  "audit.verify": chainReport,
  "events.subscribe": z.strictObject({ events: many(sidecarEvent) }),
  "logs.tail": z.strictObject({ records: many(logRecord) }),
} as const;

export type ServiceStatus = z.output<typeof serviceStatus>;
export type ChainReport = z.output<typeof chainReport>;
