import { expect, it } from "vitest";
import { sessionAddress } from "../../src/actors/session-key.ts";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { createMemoryFiles } from "../../src/adapters/files/memory-files.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import {
  approvalTable,
  type GrantScope,
  grantTable,
} from "../../src/schema/rows/permission-rows.ts";
import { crashEverywhere } from "../support/crash-driver.ts";
import { type Disk, memoryDisk } from "../support/disks.ts";
import { createTestHive, place, type TestHive } from "../support/hive.ts";

/** Wherever the process dies, a grant is there as long as its owner, and no longer. */

const pending = ({ engine }: TestHive) =>
  engine.read.select(approvalTable, { index: "by_state", equals: ["pending"] });

/** A dead engine says so. */
async function alive({ engine }: TestHive): Promise<void> {
  await engine.settled();
  await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
}

const scenario = (scope: GrantScope) => () => {
  const clock = createSimulatedClock(1_000_000);
  const files = createMemoryFiles();
  return async (disk: Disk, faultPoint: (label: string) => void) => {
    const hive = await createTestHive({ store: await disk.open(), clock, files, faultPoint });
    const { engine } = hive;
    await alive(hive);
    await hive.say('call file_write {"path":"a.txt","content":"hi"}', place, "first");
    await alive(hive);
    for (const { address, kind } of await pending(hive)) {
      const decided = { type: "approval.decide", decision: "approve", scope, by: "ann" };
      const skipped = { type: "approval.answer", value: "skip", by: "ann" };
      await engine.send(address, kind === "call" ? decided : skipped, { origin: "cli" });
      await alive(hive);
    }
    for (const { address } of await pending(hive)) {
      await engine.send(
        address,
        { type: "approval.answer", value: "skip", by: "ann" },
        { origin: "cli" },
      );
      await alive(hive);
    }
    const run = await hive.lastRun();
    const afterRun = await engine.read.select(grantTable, { index: "by_given" });
    await engine.send(sessionAddress(place), { type: "session.cancel" }, { origin: "cli" });
    await alive(hive);
    const afterSession = await engine.read.select(grantTable, { index: "by_given" });
    await engine.close();
    return { state: run?.state, afterRun: afterRun.map((grant) => grant.scope), afterSession };
  };
};

it.each(["step", "run", "task"] as const)(
  "a grant for a %s ends with it, wherever the process dies",
  async (scope) => {
    const plays = await crashEverywhere({
      makeDisk: () => memoryDisk(allTables),
      stage: scenario(scope),
    });
    expect(plays.length).toBeGreaterThan(10);
    for (const { crashedAt, result } of plays)
      expect({ crashedAt, ...result }).toEqual({
        crashedAt,
        state: "done",
        afterRun: [],
        afterSession: [],
      });
  },
);
