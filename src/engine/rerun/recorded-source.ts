import type { ActorState, Source } from "../kernel/actor-state.ts";
import type { JournalRow } from "../tables.ts";

/** The journal does not say which life of an activity or timer an event came from; what it does say is enough to find it. */

const stale = /^stale: (activity|timer) (.*)#(\d+) is over$/s;
const settled = /^xstate\.(?:done|error)\.actor\.(.*)$/s;

/** @param state of the actor before the event */
export function sourceOfStep(row: JournalRow, state: ActorState): Source | undefined {
  const [, kind, id = "", seq] = stale.exec(row.reason ?? "") ?? [];
  if (kind === "activity" || kind === "timer") return { kind, id, seq: Number(seq) };
  return row.origin === "timer" ? timerOf(row, state) : activityOf(row, state);
}

function activityOf({ event, event_type }: JournalRow, state: ActorState): Source | undefined {
  const id =
    event_type === "activity.stopped"
      ? (event["activity"] as string)
      : settled.exec(event_type)?.[1];
  const life = id === undefined ? undefined : state.activities[id];
  return id === undefined || life === undefined
    ? undefined
    : { kind: "activity", id, seq: life.seq };
}

/** A timer's event is caused by the step that set the timer; one that the chart has is called like its event. */
function timerOf({ event_type, cause }: JournalRow, { timers }: ActorState): Source | undefined {
  const set = Object.entries(timers).filter(([, seq]) => seq === cause);
  const [id, seq] = set.find(([name]) => name === event_type) ?? set[0] ?? [];
  return id === undefined || seq === undefined ? undefined : { kind: "timer", id, seq };
}
