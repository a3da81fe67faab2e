import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { activityTable } from "../../src/engine/tables.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { activitiesOf, openWorld, type World, worldTables } from "../support/engine-world.ts";
import { createWorkshop } from "../support/workshop.ts";

/** Activities that only wait for what others may send, beside those that work. */
export function waitingContract(name: string, makeDisk: DiskMaker): void {
  const workshop = createWorkshop();
  const poll = workshop.kind({ recovery: "repeat", maxConcurrent: 8, waits: true });
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
    const activities = { ...activitiesOf(world.workshop), repeatWork: poll };
    world = await world.closeAndStart({ activities });
    await world.worker("poller");
    await world.tell("poller", "worker.start", { job: "repeat 1" });
  });

  afterEach(async () => {
    workshop.die();
    await disk.dispose();
  });

  const rows = () => world.engine.read.select(activityTable, { index: "key" });
  const work = async (address: string) => {
    await world.worker(address);
    await world.tell(address, "worker.start", { job: "keyed 1" });
  };

  describe(`${name}: an activity that only waits`, () => {
    it("is no work: nobody waits for it to end", async () => {
      expect(workshop.open).toHaveLength(1);
      await world.engine.settled();
      expect(world.engine.health()).toMatchObject({ runningActivities: 0, busy: [] });
      await work("w");
      expect(world.engine.health()).toMatchObject({ runningActivities: 1, busy: ["w"] });
      const settled = world.engine.settled();
      world.workshop.open[0]?.finish();
      await settled;
    });

    it("says its result to its actor, and begins beside whatever works", async () => {
      for (const address of ["a", "b", "c"]) await work(address);
      await world.worker("other");
      await world.tell("other", "worker.start", { job: "repeat 1" });
      expect(workshop.open.map(({ address }) => address)).toEqual(["poller", "other"]);
      workshop.open[0]?.finish("news");
      await world.quiet();
      expect((await world.context("poller")).results).toEqual([`"news"`]);
    });

    it("is cut off at once by a drain, which goes on to wait for what works", async () => {
      await work("w");
      const [waiting] = workshop.open;
      const drained = world.engine.drain(60_000);
      expect(waiting?.signal.aborted).toBe(true);
      await world.quiet();
      expect(await rows()).toMatchObject([
        { address: "poller", status: "pending", lost: 0 },
        { address: "w", status: "started" },
      ]);
      world.workshop.open[0]?.finish();
      await drained;
      expect((await world.context("w")).results).toEqual([`"done"`]);
      world = await world.closeAndStart();
      expect(workshop.begun.at(-1)).toMatchObject({ address: "poller", attempt: 2 });
      expect((await world.context("poller")).results).toEqual([]);
    });

    it("alone does not make a drain wait", async () => {
      await world.engine.drain(60_000);
      expect(workshop.open[0]?.signal.aborted).toBe(true);
      expect(await rows()).toMatchObject([{ address: "poller", status: "pending" }]);
    });

    it("does not begin when its mark is committed during a drain, and begins at the next start", async () => {
      await world.worker("late");
      const begun = workshop.begun.length;
      const telling = world.tell("late", "worker.start", { job: "repeat 1" });
      await Promise.resolve();
      await world.engine.drain(0);
      await telling;
      expect(workshop.begun).toHaveLength(begun);
      workshop.die();
      world = await world.closeAndStart();
      expect(workshop.open.map(({ address }) => address)).toEqual(["poller", "late"]);
    });

    it("runs again however often the service dies meanwhile", async () => {
      for (let deaths = 1; deaths <= 5; deaths += 1) {
        workshop.die();
        world = await world.dieAndStart();
        expect(workshop.open).toMatchObject([{ address: "poller", attempt: deaths + 1 }]);
        expect(await rows()).toMatchObject([{ lost: 0 }]);
      }
      expect((await world.context("poller")).results).toEqual([]);
    });

    it("ends when it is told to, also by a death after that", async () => {
      await world.tell("poller", "worker.stop");
      expect(workshop.open[0]?.signal.aborted).toBe(true);
      workshop.die();
      world = await world.dieAndStart();
      expect(await rows()).toEqual([]);
      expect((await world.context("poller")).stopped).toEqual(["aborted"]);
    });
  });
}
