import { scheduleAddress } from "../../actors/schedule/address.ts";
import { storedContext } from "../../engine/kernel/actor-state.ts";
import { type ActorRow, actorTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { AgentError } from "../../schema/errors.ts";
import { approvalTable } from "../../schema/rows/permission-rows.ts";
import type { ShownApproval } from "../../schema/shown/shown.ts";
import { type ScheduleContext, scheduleContext } from "../../schema/contexts/schedule-context.ts";
import type { SchedulesInShort, ShownSchedule } from "../../schema/shown/shown-schedules.ts";
import { definitionOf } from "../../actors/schedule/definition-of.ts";
import { showApproval } from "../../text/shown-approval.ts";
import { isoOrNull } from "./shown.ts";

/** Schedules as their owner sees them: those whose actors live, and those that stand in the configuration and were not begun. */

export type ScheduleSource = { config(): Pick<HiveConfig, "schedules"> };

export async function listSchedules(
  read: CommittedReader,
  source: ScheduleSource,
): Promise<ShownSchedule[]> {
  return schedulesWith(await openQuestions(read), read, source);
}

async function schedulesWith(
  open: readonly ShownApproval[],
  read: CommittedReader,
  { config }: ScheduleSource,
): Promise<ShownSchedule[]> {
  const living = (await livingSchedules(read)).flatMap((row) => showSchedule(row, open));
  const known = new Set(living.map(({ id }) => id));
  const others = config().schedules.filter(({ id }) => !known.has(id));
  return [...living, ...others.map(showUnbegun)].toSorted(byTime);
}

/** @throws AgentError schedule.not_found */
export async function findSchedule(
  read: CommittedReader,
  source: ScheduleSource,
  id: string,
): Promise<ShownSchedule> {
  const all = await listSchedules(read, source);
  const found = all.find((one) => one.id === id);
  if (found !== undefined) return found;
  const there =
    all.length === 0 ? "there is none" : `there are: ${all.map((one) => one.id).join(", ")}`;
  throw new AgentError("schedule.not_found", `No schedule is called ${id}; ${there}.`, {
    hint: "schedules stand in config/schedules.yaml; agents make some with schedule_create",
  });
}

/** How many there are, what is due next, and those that need somebody; not what they wait for. */
export async function summarizeSchedules(
  read: CommittedReader,
  source: ScheduleSource,
): Promise<SchedulesInShort> {
  const all = await schedulesWith([], read, source);
  const [next] = all;
  return {
    count: all.length,
    next: next === undefined || next.next_at === null ? null : { id: next.id, at: next.next_at },
    in_need: all.filter(needsSomebody).map(whatItNeeds),
  };
}

/** Its last work failed, or it was set aside. */
export const needsSomebody = ({ failures, state }: ShownSchedule): boolean =>
  failures > 0 || state === "set_aside";

function whatItNeeds({ id, state, failures, last_detail, error }: ShownSchedule) {
  return { id, state, failures, detail: error?.message ?? last_detail };
}

async function livingSchedules(read: CommittedReader): Promise<readonly ActorRow[]> {
  const ofKind = { index: "by_version", from: "schedule", upTo: "schedule" };
  const statuses = ["active", "quarantined"] as const;
  const rows = await Promise.all(
    statuses.map((status) => read.select(actorTable, { ...ofKind, equals: [status] })),
  );
  return rows.flat();
}

async function openQuestions(read: CommittedReader): Promise<readonly ShownApproval[]> {
  const pending = { index: "by_state", equals: ["pending"] };
  return (await read.select(approvalTable, pending)).map(showApproval);
}

/** Of a damaged snapshot nothing but its address is known. */
function showSchedule(row: ActorRow, open: readonly ShownApproval[]): ShownSchedule[] {
  const parsed = scheduleContext.safeParse(storedContext(row.snapshot));
  if (!parsed.success) return [];
  const known = parsed.data;
  const isSetAside = row.status === "quarantined";
  const state = isSetAside ? "set_aside" : row.state;
  return [
    {
      id: known.schedule_id,
      address: row.address,
      source: known.source,
      ...whatItDoes(known.definition),
      state,
      waiting_for: open.filter(({ trace_id }) => trace_id === known.present?.trace),
      afterwards: known.afterwards,
      next_at: isPlanned(state, known) ? isoOrNull(known.next_at) : null,
      last_run_at: isoOrNull(known.last_run_at),
      last_outcome: known.last_outcome,
      last_detail: known.last_detail,
      last_run_id: known.last_run_id,
      missed_at: isoOrNull(known.missed_at),
      runs: known.runs,
      skipped: known.skipped,
      failures: known.failures,
      error: isSetAside ? row.error : null,
    },
  ];
}

const planned: ReadonlySet<string> = new Set(["waiting", "due", "running"]);

/** What is paused or removed once its work has ended has no next time. */
function isPlanned(state: string, { afterwards }: ScheduleContext): boolean {
  return planned.has(state) && afterwards === "waiting";
}

function whatItDoes({ cron, timezone, work }: ScheduleContext["definition"]) {
  if (work.kind === "command") {
    const { command } = work;
    return {
      cron,
      timezone,
      command,
      agent_id: null,
      task: null,
      session_key: null,
      deliver: null,
    };
  }
  const { agent_id, text: task, session_key, deliver } = work;
  return { cron, timezone, command: null, agent_id, task, session_key, deliver };
}

function showUnbegun(config: HiveConfig["schedules"][number]): ShownSchedule {
  return {
    id: config.id,
    address: scheduleAddress(config.id),
    source: "config",
    ...whatItDoes(definitionOf(config, config.timezone)),
    state: "not_started",
    waiting_for: [],
    afterwards: "waiting",
    next_at: null,
    last_run_at: null,
    last_outcome: null,
    last_detail: null,
    last_run_id: null,
    missed_at: null,
    runs: 0,
    skipped: 0,
    failures: 0,
    error: null,
  };
}

/** What comes first, first; then what waits for a person. */
function byTime(one: ShownSchedule, other: ShownSchedule): number {
  return timeOf(one).localeCompare(timeOf(other)) || one.id.localeCompare(other.id);
}

/** Behind every year where there is none. */
const timeOf = ({ next_at }: ShownSchedule) => next_at ?? "9999";
