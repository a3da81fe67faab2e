import type { Engine } from "../../engine/engine.ts";
import { actorTable, deadLetterTable } from "../../engine/tables.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { protocolVersion, type Results } from "../../schema/socket/protocol.ts";
import type { Alert } from "../../schema/shown/observed.ts";
import { approvalTable } from "../../schema/rows/permission-rows.ts";
import type { NewsBus } from "../news/news.ts";
import type { Sidecar } from "../news/sidecar.ts";
import { memoryFileTable } from "../../schema/rows/memory-rows.ts";
import type { MemoryReads } from "../memory/desk/memory-reads.ts";
import { nullIfUnreadable } from "./memory.ts";
import { workingRuns } from "../working-runs.ts";
import type { Handlers } from "./caller.ts";
import { defaultModel } from "../agents/agent-list.ts";
import type { LiveConfig } from "../config/live-config.ts";
import { iso, isoOrNull } from "../records/shown.ts";
import { type BudgetsOf, createBudgetsOf, everybody, isTight } from "../records/budgets-of.ts";
import { idIn } from "../../actors/address.ts";
import { runTable } from "../../schema/rows/run-rows.ts";
import { connectorsInNeed } from "../records/shown-connector.ts";
import { countDeliveries } from "../records/shown-delivery.ts";
import { countOpenPairings } from "../records/shown-pairing.ts";
import { summarizeSchedules } from "../records/shown-schedule.ts";
import type { ShownConnector } from "../../schema/shown/shown-channels.ts";
import type { Query } from "../../schema/rows/table.ts";
import { rootAddress } from "../root.ts";
import { usageOfDay } from "../records/usage-of.ts";

export type StatusOptions = {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly version: string;
  readonly live: LiveConfig;
  readonly startedAt: number;
  readonly bus: NewsBus;
  readonly sidecar: Sidecar;
  readonly logFile: { readonly path: string; readonly lost: number };
  /** @throws AgentError index.unavailable */
  readonly memory: () => Promise<Pick<MemoryReads, "indexStats">>;
  /** Ends the process after its answer has left. */
  readonly shutdown: (graceMs: number) => void;
};

export function statusHandlers(options: StatusOptions): Handlers<"hello" | "status" | "shutdown"> {
  const { engine, clock, version, live, startedAt, bus, sidecar, logFile } = options;
  const budgetSource = { config: () => live.now(), now: () => clock.now() };
  const budgetsOf = createBudgetsOf(engine.read, budgetSource);
  return {
    hello: async ({ client }, caller) => {
      caller.introduce(client);
      return whoAnswers(options);
    },
    status: async () => {
      const { read } = engine;
      const { degraded, queued } = engine.health();
      const { home, agents } = live.now();
      const broken = live.broken();
      return {
        pid: process.pid,
        state: (await read.get(actorTable, rootAddress))?.state ?? "unknown",
        version,
        home,
        started_at: iso(startedAt),
        degraded,
        config_broken_since: isoOrNull(broken?.since ?? null),
        agents: agents.filter(({ enabled }) => enabled).map(({ id }) => id),
        model: defaultModel(live),
        sessions: await read.count(actorTable, livingOf("session")),
        runs: await read.count(actorTable, livingOf("run")),
        approvals: await read.count(approvalTable, { index: "by_state", equals: ["pending"] }),
        quarantined: await read.count(actorTable, {
          index: "by_version",
          equals: ["quarantined"],
        }),
        dead_letters: await read.count(deadLetterTable, { index: "key" }),
        queued,
        working: workingRuns(engine),
        today: await usageOfDay(engine.read, clock.now()),
        tight_budgets: await tightBudgets(options, budgetsOf),
        connectors: (await connectorsInNeed(engine.read, budgetSource)).map(whatItNeeds),
        deliveries: await countDeliveries(engine.read),
        pairings: await countOpenPairings(engine.read, clock.now()),
        schedules: await summarizeSchedules(engine.read, budgetSource),
        memory: await memoryInShort(options),
        alerts: await standing(read, sidecar.alerts.list()),
        bus: bus.counters(),
        metrics: sidecar.metrics.show(),
        log: { lost: logFile.lost },
      };
    },
    shutdown: async ({ grace_ms }) => {
      setImmediate(() => options.shutdown(grace_ms));
      return { working: workingRuns(engine) };
    },
  };
}

/** Counted, without a look at the files. */
async function memoryInShort({
  engine,
  memory,
}: StatusOptions): Promise<Results["status"]["memory"]> {
  const files = await engine.read.count(memoryFileTable, { index: "key" });
  const read = async () => {
    const { chunks, embedded, embedder, trouble } = await (await memory()).indexStats();
    return { files, chunks, embedded, embedder, trouble };
  };
  return read().catch(nullIfUnreadable);
}

function whatItNeeds({ id, state, needs }: ShownConnector) {
  return { id, state, needs: needs ?? "" };
}

function whoAnswers({ version, live, startedAt }: StatusOptions): Results["hello"] {
  return {
    protocol: protocolVersion,
    version,
    pid: process.pid,
    home: live.now().home,
    started_at: iso(startedAt),
  };
}

function livingOf(machine: string): Query {
  return { index: "by_version", equals: ["active"], from: machine, upTo: machine };
}

const runsLookedAt = 100;

/** Of the service, of its agents, and of what the runs that live count against. */
async function tightBudgets({ engine, live }: StatusOptions, budgetsOf: BudgetsOf) {
  const some = { ...livingOf("run"), limit: runsLookedAt };
  const open = await engine.read.select(actorTable, some);
  const runs = await Promise.all(
    open.map(({ address }) => engine.read.get(runTable, idIn(address))),
  );
  const found = await Promise.all([
    budgetsOf(everybody, "day"),
    ...live.now().agents.map(({ id }) => budgetsOf({ ...everybody, agent_id: id }, "agent_day")),
    ...runs.flatMap((run) => (run === undefined ? [] : [budgetsOf(run, "session", "run")])),
  ]);
  const byName = new Map(found.flat().map((budget) => [`${budget.total} ${budget.kind}`, budget]));
  return [...byName.values()].filter(isTight);
}

/** A question that somebody has answered alarms nobody any more. */
async function standing(read: CommittedReader, alerts: readonly Alert[]): Promise<Alert[]> {
  const isOver = async ({ approval_id }: Alert) =>
    approval_id !== null && (await read.get(approvalTable, approval_id))?.state !== "pending";
  const over = await Promise.all(alerts.map(isOver));
  return alerts.filter((_, at) => !over[at]);
}
