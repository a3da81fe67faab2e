import { expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { crashEverywhere } from "../../support/crash-driver.ts";
import { type Disk, memoryDisk } from "../../support/disks.ts";
import { createTestHive } from "../../support/hive.ts";
import { runs } from "../hive-watch.ts";
import { definitionOf, hour, makeSchedule, report, scheduleNow } from "./schedule-support.ts";

/** A schedule that comes twice, with the process dropped before and after every commit. */
function stage() {
  const clock = createSimulatedClock(Date.UTC(2026, 10, 22, 12));
  const end = clock.now() + 2.5 * hour;
  return async (disk: Disk, faultPoint: (label: string) => void) => {
    const store = await disk.open();
    const hive = await createTestHive({ store, clock, faultPoint });
    const alive = async () => {
      await hive.engine.settled();
      await hive.engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
    };
    if ((await hive.engine.get(report)) === undefined)
      await makeSchedule(hive, definitionOf("0 * * * *"));
    await alive();
    while (clock.now() < end) {
      const { next_at } = await scheduleNow(hive);
      clock.advanceTo(Math.min(end, next_at ?? end));
      await alive();
    }
    const { state, runs: begun, last_outcome } = await scheduleNow(hive);
    const done = (await runs(hive)).map((run) => run.state);
    await hive.engine.close();
    return { state, begun, last_outcome, done };
  };
}

it("does each of its times once, wherever the service dies", async () => {
  const plays = await crashEverywhere({ makeDisk: () => memoryDisk(allTables), stage });
  expect(plays.length).toBeGreaterThan(20);
  expect(plays.filter(({ deaths }) => deaths === 1)).toHaveLength(plays.length);
  for (const { crashedAt, result } of plays)
    expect([crashedAt, result]).toEqual([
      crashedAt,
      { state: "waiting", begun: 2, last_outcome: "done", done: ["done", "done"] },
    ]);
});
