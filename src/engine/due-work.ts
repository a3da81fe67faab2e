import type { Activities, Ending } from "./activities/activities.ts";
import type { TimerRow } from "./tables.ts";
import type { Timers } from "./timers.ts";
import type { Work } from "./work-queue.ts";

/** What the engine owes to time and to its activities, as work. */

type OwedWork = Omit<Work, "external">;

const timersPerSweep = 64;

/** What has fallen due: activities that may start, and timers, each of which is work of its own. */
export function sweepWork(
  timers: Timers,
  activities: Activities,
  owe: (work: OwedWork) => void,
): OwedWork {
  return {
    label: "sweep",
    prepare: (tx) => {
      const due = timers.due(tx, timersPerSweep);
      tx.afterCommit(() => {
        for (const row of due) owe(fireWork(timers, row));
        if (due.length === timersPerSweep) owe(sweepWork(timers, activities, owe));
      });
      return activities.admit(tx);
    },
  };
}

function fireWork(timers: Timers, row: TimerRow): OwedWork {
  return {
    label: `timer ${row.id} of ${row.address}`,
    prepare: (tx) => {
      const mail = timers.consume(tx, row);
      return mail === undefined ? [] : [mail];
    },
  };
}

export function settleWork(activities: Activities, ending: Ending): OwedWork {
  return {
    label: `settle ${ending.key}`,
    prepare: (tx) => {
      const mail = activities.consume(tx, ending);
      return mail === undefined ? [] : [mail];
    },
  };
}

export function admitWork(activities: Activities): OwedWork {
  return { label: "admit", prepare: (tx) => activities.admit(tx) };
}

export function giveBackWork(activities: Activities, keys: readonly string[]): OwedWork {
  return {
    label: "give back",
    prepare: (tx) => {
      activities.giveBack(tx, keys);
      return [];
    },
  };
}
