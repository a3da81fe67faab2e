import { keyIn, placeIn } from "../../actors/session-key.ts";
import { storedContext } from "../../engine/kernel/actor-state.ts";
import { type ActorRow, actorTable } from "../../engine/tables.ts";
import { isLocalSession } from "../../policy/session-place.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { RunContext } from "../../schema/contexts/run-context.ts";
import type { SessionContext } from "../../schema/contexts/session-context.ts";
import { taskTable } from "../../schema/rows/run-rows.ts";
import { shorten, shown } from "../../text/shown.ts";

/** What a crash has interrupted, by the conversation in which people wait for it. */
export type Interrupted = {
  readonly connector_id: string;
  readonly scope: string;
  /** What was asked for, shortened, and goes on. */
  readonly goesOn: readonly string[];
  /** The same, of what waits for somebody's answer. */
  readonly waits: readonly string[];
  /** Messages that wait for their turn. */
  readonly queued: number;
  /** The same until something of it goes on: what was said of it once is not said again. */
  readonly mark: string;
};

const mostRuns = 10_000;
const waitingForPeople = ["awaiting_approval", "awaiting_user", "paused_budget"];
const longestText = 60;

type OpenRun = {
  readonly session: string;
  readonly connector_id: string;
  readonly scope: string;
  readonly text: string;
  readonly isWaiting: boolean;
  /** Which run, and its last step. */
  readonly mark: string;
};

/** @param before only what was begun before that time */
export async function interruptedConversations(
  read: CommittedReader,
  before: number,
): Promise<readonly Interrupted[]> {
  const query = { index: "by_version", equals: ["active"], from: "run", upTo: "run" };
  const rows = await read.select(actorTable, { ...query, limit: mostRuns });
  const inChannels = rows.filter(
    ({ address, created_at }) => created_at < before && !isLocalSession(address),
  );
  const runs = await Promise.all(inChannels.map((row) => openRun(read, row)));
  return Promise.all([...byPlace(runs).values()].map((some) => together(read, some)));
}

async function openRun(read: CommittedReader, row: ActorRow): Promise<OpenRun> {
  const { session_address: session, task_id = "" } = contextOf<RunContext>(row);
  const task = await read.get(taskTable, task_id);
  const { connector_id, conversation_scope: scope } = placeIn(keyIn(session ?? ""));
  return {
    session: session ?? "",
    connector_id,
    scope,
    text: shorten(shown(task?.text.replaceAll(/\s+/g, " ")), longestText),
    isWaiting: waitingForPeople.includes(row.state),
    mark: `${row.address}@${row.seq}`,
  };
}

function byPlace(runs: readonly OpenRun[]): ReadonlyMap<string, readonly OpenRun[]> {
  const places = new Map<string, OpenRun[]>();
  for (const run of runs) {
    const place = `${run.connector_id} ${run.scope}`;
    places.set(place, [...(places.get(place) ?? []), run]);
  }
  return places;
}

/** Empty where the snapshot is damaged. */
function contextOf<C>({ snapshot }: ActorRow): Partial<C> {
  return storedContext(snapshot) as Partial<C>;
}

async function together(read: CommittedReader, runs: readonly OpenRun[]): Promise<Interrupted> {
  const { connector_id = "", scope = "" } = runs[0] ?? {};
  const textsOf = (isWaiting: boolean) =>
    runs.filter((run) => run.isWaiting === isWaiting).map(({ text }) => text);
  const sessions = [...new Set(runs.map(({ session }) => session))];
  const queues = await Promise.all(sessions.map((address) => queuedIn(read, address)));
  return {
    connector_id,
    scope,
    goesOn: textsOf(false),
    waits: textsOf(true),
    queued: queues.reduce((sum, queued) => sum + queued, 0),
    mark: runs.map(({ mark }) => mark).join(" "),
  };
}

async function queuedIn(read: CommittedReader, address: string): Promise<number> {
  const session = await read.get(actorTable, address);
  return session === undefined ? 0 : (contextOf<SessionContext>(session).queued ?? 0);
}
