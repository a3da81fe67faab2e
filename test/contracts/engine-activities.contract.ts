import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ActivityKind } from "../../src/engine/activities/activity-kind.ts";
import type { Notice } from "../../src/engine/engine.ts";
import { activityTable, type ActivityRow } from "../../src/engine/tables.ts";
import type { RowStore } from "../../src/ports/store.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { activitiesOf, openWorld, type World, worldTables } from "../support/engine-world.ts";
import type { Job } from "../support/workshop.ts";
import { wrapStore } from "../support/wrapped-store.ts";

/** Work outside of transactions: attempts, crashes, retries, cancelling. */
export function activitiesContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
  });

  afterEach(() => disk.dispose());

  const start = async (address: string, job: string) => {
    await world.worker(address);
    return world.tell(address, "worker.start", { job });
  };
  const job = (at = 0) => world.workshop.open[at] as Job;
  const rows = () => world.engine.read.select(activityTable, { index: "key" });
  const results = async (address: string) => (await world.context(address)).results;
  const stopped = async (address: string) => (await world.context(address)).stopped;
  const overloaded = (retryAfterMs?: number) =>
    new AgentError("model.overloaded", "busy", {
      retryable: true,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });

  describe(`${name}: an activity`, () => {
    it("starts after the commit of its attempt", async () => {
      const events: string[] = [];
      world = await world.closeAndStart({
        wrap: (store) =>
          wrapStore(store, {
            put: (table, row) => {
              if (table.name === "activities") events.push((row as unknown as ActivityRow).status);
              store.put(table, row);
            },
            commit: async () => {
              await store.commit();
              events.push(`committed with ${world.workshop.open.length} running`);
            },
          }),
      });
      await world.worker("w");
      events.length = 0;
      await world.tell("w", "worker.start", { job: "repeat 1" });
      expect(events).toEqual(["started", "committed with 0 running"]);
      expect(world.workshop.open).toHaveLength(1);
    });

    it("says its result to its actor, and leaves no row", async () => {
      await start("w", "repeat 1");
      expect(await rows()).toMatchObject([
        { address: "w", id: "work", attempt: 1, status: "started" },
      ]);
      job().finish("fine");
      await world.quiet();
      expect(await results("w")).toEqual([`"fine"`]);
      expect(await rows()).toEqual([]);
    });

    it("says an error by its code, and an output that JSON does not hold as an error", async () => {
      await start("w", "keyed 1");
      job().fail(new AgentError("tool.failed", "no luck"));
      await world.quiet();
      await world.tell("w", "worker.start", { job: "keyed 2" });
      job().finish({ at: new Date(0) });
      await world.quiet();
      expect(await results("w")).toEqual(["tool.failed", "internal"]);
    });

    it("has known secrets removed from what it returns and throws before anything is stored", async () => {
      const redact = <T>(value: T): T =>
        JSON.parse(JSON.stringify(value).replaceAll("hunter2", "***")) as T;
      world = await world.closeAndStart({ redact });
      await start("w", "keyed 1");
      job().finish("the password is hunter2");
      await world.quiet();
      await world.tell("w", "worker.start", { job: "keyed 2" });
      job().fail(new Error("hunter2 was refused"));
      await world.quiet();
      expect(JSON.stringify(await world.journal())).not.toContain("hunter2");
      expect(JSON.stringify(await world.journal())).toContain("*** was refused");
    });

    it("that the running code does not have settles as activity.missing", async () => {
      await start("w", "repeat 1");
      world = await world.dieAndStart({ activities: {} });
      expect(await results("w")).toEqual(["activity.missing"]);
      await world.tell("w", "worker.start", { job: "repeat 2" });
      expect(await results("w")).toEqual(["activity.missing", "activity.missing"]);
    });
  });

  describe(`${name}: a stale result`, () => {
    it("does not complete a state that was entered again", async () => {
      await start("w", "repeat 1");
      const first = job();
      await world.tell("w", "worker.restart");
      expect(world.workshop.open).toHaveLength(2);
      expect(first.signal.aborted).toBe(true);
      first.finish("old");
      await world.quiet();
      expect(await world.engine.get("w")).toMatchObject({ state: "repeating" });
      job(0).finish("new");
      await world.quiet();
      expect(await results("w")).toEqual([`"new"`]);
    });

    it("is dropped at consumption: what waited behind an event that left the state comes too late", async () => {
      await start("w", "repeat 1");
      const restart = world.tell("w", "worker.restart");
      job().finish("old");
      await restart;
      await world.quiet();
      expect(await world.engine.get("w")).toMatchObject({ state: "repeating" });
      const late = (await world.journal()).at(-1);
      expect(late).toMatchObject({ outcome: "rejected", event_type: "activity.stopped" });
      expect(late?.reason).toMatch(/^stale: activity work#\d+ is over$/);
    });
  });

  describe(`${name}: after a crash`, () => {
    it("repeats what may be repeated, under the same key, as another attempt", async () => {
      await start("w", "repeat 1");
      const { key } = job();
      world = await world.dieAndStart();
      expect(world.report).toMatchObject({ resumedActivities: 1, unknownOutcomes: 0 });
      expect(job()).toMatchObject({ key, attempt: 2, input: { job: "repeat 1" } });
      job().finish();
      await world.quiet();
      expect(await results("w")).toEqual([`"done"`]);
    });

    it("repeats keyed work with the key that the other side knows", async () => {
      await start("w", "keyed 1");
      const { key } = job();
      world = await world.dieAndStart();
      expect(job()).toMatchObject({ key, attempt: 2 });
    });

    it("never repeats what may be done once: its outcome is unknown", async () => {
      await start("w", "once 1");
      world = await world.dieAndStart();
      expect(world.report).toMatchObject({ resumedActivities: 0, unknownOutcomes: 1 });
      expect(world.workshop.begun).toHaveLength(1);
      expect(await results("w")).toEqual(["activity.outcome_unknown"]);
    });

    it("starts work that may be done once if it had not been started", async () => {
      for (const address of ["a", "b", "c"]) await start(address, "once 1");
      expect(world.workshop.open).toHaveLength(2);
      world = await world.dieAndStart();
      expect(world.workshop.open.map(({ address }) => address)).toEqual(["c"]);
      expect(await results("a")).toEqual(["activity.outcome_unknown"]);
    });

    it("gives up work that was lost three times", async () => {
      await start("w", "repeat 1");
      world = await world.dieAndStart();
      world = await world.dieAndStart();
      expect(job().attempt).toBe(3);
      world = await world.dieAndStart();
      expect(world.workshop.open).toEqual([]);
      expect(await results("w")).toEqual(["activity.crash_loop"]);
    });

    it("does not take attempts that failed by themselves for lost ones", async () => {
      await start("w", "repeat 1");
      for (let failed = 1; failed <= 2; failed += 1) {
        job().fail(overloaded());
        await world.quiet();
        await world.advance(1000);
      }
      expect(job().attempt).toBe(3);
      world = await world.dieAndStart();
      expect(job().attempt).toBe(4);
    });
  });

  describe(`${name}: a graceful end`, () => {
    it("gives attempts back: what was cut off runs again and counts as no loss", async () => {
      await start("w", "repeat 1");
      for (let round = 0; round < 4; round += 1) world = await world.closeAndStart();
      expect(job(4)).toMatchObject({ attempt: 5 });
      expect(await rows()).toMatchObject([{ lost: 0, status: "started" }]);
    });

    it("waits for running work as long as it is told, and takes its result", async () => {
      await start("w", "repeat 1");
      const closed = world.engine.close(5000);
      await expect(world.tell("w", "worker.stop")).rejects.toMatchObject({ code: "engine.closed" });
      expect(job().signal.aborted).toBe(false);
      job().finish("in time");
      await closed;
      world = await world.dieAndStart();
      expect(await results("w")).toEqual([`"in time"`]);
      expect(world.workshop.open).toEqual([]);
    });

    it("aborts what does not end in time", async () => {
      await start("w", "repeat 1");
      const { signal } = job();
      const closed = world.engine.close(5000);
      world.clock.advance(5000);
      await closed;
      expect(signal.aborted).toBe(true);
      world = await world.dieAndStart();
      expect(job().attempt).toBe(2);
    });

    it("takes events while it drains, but begins nothing, until a second word cuts it short", async () => {
      await start("w", "repeat 1");
      const { signal } = job();
      const drained = world.engine.drain(60_000);
      await start("v", "repeat 2");
      expect(world.workshop.begun).toHaveLength(1);
      expect(world.engine.health().busy).toEqual(["w"]);
      await world.engine.drain(0);
      await drained;
      expect(signal.aborted).toBe(true);
      world = await world.closeAndStart();
      expect(world.engine.health().busy).toEqual(["w", "v"]);
    });

    it("does not give back work that may be done once: its outcome is unknown", async () => {
      await start("w", "once 1");
      world = await world.closeAndStart();
      expect(await results("w")).toEqual(["activity.outcome_unknown"]);
    });
  });

  describe(`${name}: a retry`, () => {
    it("waits as the policy says, twice as long each time, and is tried so many times", async () => {
      await start("w", "repeat 1");
      job().fail(overloaded());
      await world.quiet();
      await world.advance(99);
      expect(world.workshop.open).toHaveLength(0);
      await world.advance(1);
      expect(job().attempt).toBe(2);
      job().fail(overloaded());
      await world.quiet();
      await world.advance(199);
      expect(world.workshop.open).toHaveLength(0);
      await world.advance(1);
      job().fail(overloaded());
      await world.quiet();
      expect(await results("w")).toEqual(["model.overloaded"]);
    });

    it("waits as long as the other side asks, across restarts", async () => {
      await start("w", "repeat 1");
      job().fail(overloaded(120_000));
      await world.quiet();
      await world.advance(60_000);
      world = await world.dieAndStart();
      await world.advance(59_999);
      expect(world.workshop.open).toHaveLength(0);
      await world.advance(1);
      expect(job()).toMatchObject({ attempt: 2 });
      expect(await rows()).toMatchObject([{ lost: 0, failed: 1 }]);
    });

    it("is not made of an error that no retry heals, nor of work that may be done once", async () => {
      await start("w", "repeat 1");
      job().fail(new AgentError("model.auth", "wrong key"));
      await world.quiet();
      await world.tell("w", "worker.start", { job: "once 1" });
      job().fail(overloaded());
      await world.quiet();
      expect(await results("w")).toEqual(["model.auth", "model.overloaded"]);
    });
  });

  describe(`${name}: so many at once`, () => {
    it("starts no more than maxConcurrent; the rows are the queue, oldest first", async () => {
      for (const address of ["a", "b", "c", "d"]) await start(address, "repeat");
      const running = () => world.workshop.open.map(({ address }) => address);
      expect(running()).toEqual(["a", "b"]);
      expect((await rows()).filter(({ status }) => status === "pending")).toHaveLength(2);
      job().finish();
      await world.quiet();
      expect(running()).toEqual(["b", "c"]);
      world = await world.dieAndStart();
      expect(running()).toEqual(["b", "c"]);
    });

    it("starts what was queued while the last work before it ended during that very commit", async () => {
      let duringCommit = async () => {};
      const commit = (store: RowStore) => async () => {
        await duringCommit();
        await store.commit();
      };
      world = await world.closeAndStart({
        wrap: (store) => wrapStore(store, { commit: commit(store) }),
      });
      for (const address of ["a", "b"]) await start(address, "repeat");
      await world.worker("c");
      const running = [...world.workshop.open];
      duringCommit = async () => {
        for (const each of running) each.finish();
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      };
      await world.tell("c", "worker.start", { job: "repeat" });
      duringCommit = async () => {};
      await world.quiet();
      expect(world.workshop.open.map(({ address }) => address)).toEqual(["c"]);
    });

    it("lets nothing new overtake what waits", async () => {
      for (const address of ["a", "b", "c"]) await start(address, "repeat");
      await world.worker("d");
      job().finish();
      const overtaking = world.tell("d", "worker.start", { job: "repeat" });
      await overtaking;
      await world.quiet();
      expect(world.workshop.open.map(({ address }) => address)).toEqual(["b", "c"]);
    });
  });

  describe(`${name}: the check at the start`, () => {
    it("is made in the transaction of the started mark, and its refusal is the result", async () => {
      let allowed = true;
      const admit = () =>
        allowed
          ? undefined
          : ({ code: "permission.denied", message: "not any more", retryable: false } as const);
      const onceWork = { ...activitiesOf(world.workshop)["onceWork"], maxConcurrent: 1, admit };
      world = await world.closeAndStart({ activities: { onceWork: onceWork as never } });
      await start("a", "once 1");
      await start("b", "once 2");
      allowed = false;
      job().finish();
      await world.quiet();
      expect(world.workshop.begun).toHaveLength(1);
      expect(await results("b")).toEqual(["permission.denied"]);
      await start("c", "once 3");
      expect(await results("c")).toEqual(["permission.denied"]);
      expect(await rows()).toEqual([]);
    });

    it("refuses when it throws", async () => {
      const admit = () => {
        throw new Error("no policy");
      };
      const onceWork = { ...activitiesOf(world.workshop)["onceWork"], admit };
      world = await world.closeAndStart({ activities: { onceWork: onceWork as never } });
      await start("w", "once 1");
      expect(await results("w")).toEqual(["internal"]);
    });
  });

  describe(`${name}: the end of each started attempt`, () => {
    const ends: string[] = [];
    const told = async () => {
      ends.splice(0);
      const { repeatWork } = activitiesOf(world.workshop);
      const settled: ActivityKind["settled"] = (_store, { attempt, isLost, settlement }) => {
        const how = settlement.ok ? "ok" : settlement.error.code;
        ends.push(`${attempt} ${how}${isLost ? " (lost)" : ""}`);
      };
      const admitted = () => ({ ...repeatWork, settled }) as never;
      world = await world.closeAndStart({ activities: { repeatWork: admitted() } });
      return { activities: { repeatWork: admitted() } };
    };

    it("is told once, whatever becomes of it: an answer, a stop, a mark that is taken back", async () => {
      await told();
      await start("a", "repeat 1");
      job().finish();
      await world.quiet();
      await start("b", "repeat 2");
      await world.tell("b", "worker.stop");
      job().fail(new AgentError("activity.aborted", "told to stop"));
      await world.quiet();
      await world.worker("c");
      await world.tell("c", "worker.flash");
      expect(ends).toEqual(["1 ok", "1 activity.aborted", "1 activity.aborted"]);
    });

    it("is told of what died with the service and of what is given back", async () => {
      const parts = await told();
      await start("a", "repeat 1");
      world = await world.dieAndStart(parts);
      expect(ends).toEqual(["1 activity.aborted (lost)"]);
      world = await world.closeAndStart(parts);
      expect(ends).toEqual(["1 activity.aborted (lost)", "2 activity.aborted (lost)"]);
      job(world.workshop.open.length - 1).finish();
      await world.quiet();
      expect(ends.slice(2)).toEqual(["3 ok"]);
    });
  });

  describe(`${name}: cancelling`, () => {
    it("ends as not_started what still waited", async () => {
      for (const address of ["a", "b", "c"]) await start(address, "repeat");
      await world.tell("c", "worker.stop");
      expect(await stopped("c")).toEqual(["not_started"]);
      expect(await rows()).toHaveLength(2);
    });

    it("ends as not_started what the same step began", async () => {
      await world.worker("w");
      await world.tell("w", "worker.flash");
      expect(world.workshop.begun).toEqual([]);
      expect(await stopped("w")).toEqual(["not_started"]);
      for (const address of ["a", "b"]) await start(address, "repeat");
      expect(world.workshop.open).toHaveLength(2);
    });

    it("ends as completed what was done before it heard of it", async () => {
      await start("w", "keyed 1");
      await world.tell("w", "worker.stop");
      expect(await rows()).toMatchObject([{ status: "stopping" }]);
      expect(job().signal.aborted).toBe(true);
      job().finish("too late");
      await world.quiet();
      expect(await stopped("w")).toEqual(["completed"]);
      expect((await world.journal()).at(-1)?.event).toMatchObject({
        type: "activity.stopped",
        ended: "completed",
        output: "too late",
      });
    });

    it("ends as aborted what gave up", async () => {
      await start("w", "keyed 1");
      await world.tell("w", "worker.stop");
      job().fail(new AgentError("activity.aborted", "stopped"));
      await world.quiet();
      expect(await stopped("w")).toEqual(["aborted"]);
    });

    it("ends as unknown what nobody knows the end of, also when the service dies meanwhile", async () => {
      await start("w", "keyed 1");
      await world.tell("w", "worker.stop");
      job().fail(new AgentError("activity.outcome_unknown", "no answer"));
      await world.quiet();
      await world.tell("w", "worker.start", { job: "once 1" });
      await world.tell("w", "worker.stop");
      world = await world.dieAndStart();
      expect(await stopped("w")).toEqual(["unknown", "unknown"]);
    });

    it("ends as aborted a repeatable work that the service's death stopped", async () => {
      await start("w", "repeat 1");
      await world.tell("w", "worker.stop");
      world = await world.dieAndStart();
      expect(await stopped("w")).toEqual(["aborted"]);
      expect(world.workshop.open).toEqual([]);
    });
  });

  describe(`${name}: notices of an activity`, () => {
    it("carry activity, attempt and offset; a new attempt begins with text.reset; late ones are dropped", async () => {
      const told: Notice[] = [];
      world.engine.onNotice((notice) => told.push(notice));
      await start("w", "repeat 1");
      const first = job();
      first.notify({ type: "text.delta", text: "a" });
      first.notify({ type: "text.delta", text: "b" });
      first.fail(overloaded());
      await world.quiet();
      first.notify({ type: "text.delta", text: "late" });
      await world.advance(100);
      first.notify({ type: "text.delta", text: "later" });
      job().notify({ type: "text.delta", text: "c" });
      const activity = first.key;
      expect(
        told.map(({ activity: of, attempt, offset, notice }) => [of, attempt, offset, notice]),
      ).toEqual([
        [activity, 1, 0, { type: "text.delta", text: "a" }],
        [activity, 1, 1, { type: "text.delta", text: "b" }],
        [
          activity,
          1,
          2,
          { type: "activity.retrying", code: "model.overloaded", wait_ms: 100, attempt: 1 },
        ],
        [activity, 2, 0, { type: "text.reset" }],
        [activity, 2, 1, { type: "text.delta", text: "c" }],
      ]);
    });

    it("come before the result", async () => {
      const order: string[] = [];
      world.engine.onNotice(({ notice }) => order.push(notice["type"] as string));
      await start("w", "repeat 1");
      world.engine.onStep(({ event_type }) => order.push(event_type));
      job().notify({ type: "text.delta", text: "last" });
      job().finish();
      await world.quiet();
      expect(order.slice(0, 2)).toEqual(["text.delta", "xstate.done.actor.work"]);
    });
  });
}
