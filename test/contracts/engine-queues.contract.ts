import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { activityTable } from "../../src/engine/tables.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { activitiesOf, openWorld, type World, worldTables } from "../support/engine-world.ts";
import type { Job } from "../support/workshop.ts";

/** Activities of one kind that wait in several queues. */
export function queuesContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
  });

  afterEach(() => disk.dispose());

  const withQueues = () => {
    const queueOf = ({ job }: { readonly job: string }) => job.slice("repeat ".length);
    const { repeatWork } = activitiesOf(world.workshop);
    return { activities: { repeatWork: { ...repeatWork, queueOf } as never } };
  };
  const start = async (address: string, job: string) => {
    await world.worker(address);
    await world.tell(address, "worker.start", { job });
  };
  const running = () => world.workshop.open.map(({ address }) => address);
  const finish = async (address: string) => {
    const job = world.workshop.open.find((one) => one.address === address) as Job;
    job.finish();
    await world.quiet();
  };

  describe(`${name}: the queues of a kind`, () => {
    it("hold nobody up but their own", async () => {
      world = await world.closeAndStart(withQueues());
      for (const address of ["a", "b", "c", "d"]) await start(address, "repeat slow");
      await start("e", "repeat fast");
      expect(running()).toEqual(["a", "b", "e"]);
      await finish("e");
      expect(running()).toEqual(["a", "b"]);
      await finish("a");
      expect(running()).toEqual(["b", "c"]);
    });

    it("are the same after a crash", async () => {
      world = await world.closeAndStart(withQueues());
      for (const address of ["a", "b", "c"]) await start(address, "repeat slow");
      for (const address of ["d", "e", "f"]) await start(address, "repeat fast");
      world = await world.dieAndStart();
      expect(running().toSorted()).toEqual(["a", "b", "d", "e"]);
      await finish("d");
      expect(running().toSorted()).toEqual(["a", "b", "e", "f"]);
    });

    it("come beside what was there before the kind had any", async () => {
      for (const address of ["a", "b", "c"]) await start(address, "repeat slow");
      world = await world.dieAndStart(withQueues());
      expect(running()).toEqual(["a", "b"]);
      for (const address of ["a", "b", "c"]) await finish(address);
      expect(await world.engine.read.select(activityTable, { index: "key" })).toEqual([]);
    });
  });
}
