import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import type { MachineEntry } from "../../src/engine/machine-registry.ts";
import type { StoredState } from "../../src/engine/kernel/actor-state.ts";
import {
  activityTable,
  actorTable,
  deadLetterTable,
  journalTable,
  timerTable,
} from "../../src/engine/tables.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import { sendTo } from "../../src/machines/effect-actions.ts";
import type { Table } from "../../src/schema/rows/table.ts";
import { puppetMachine } from "../engine/fixtures/puppet.machine.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import {
  openWorld,
  puppetEntry,
  workerEntry,
  type World,
  worldTables,
} from "../support/engine-world.ts";

/** Data that is older or newer than the code, and data that gets old. */
export function versionsContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
  });

  afterEach(() => disk.dispose());

  const note = (text: string) => ({ type: "puppet.note", note: text });
  const newer = createMachine(
    { ...puppetMachine.config, version: "2" },
    puppetMachine.implementations as never,
  );
  const startWith = async (puppet: Partial<MachineEntry>) => {
    const entries = [{ ...puppetEntry, ...puppet }, workerEntry];
    world = await world.closeAndStart({ entries });
  };

  describe(`${name}: an actor of another version`, () => {
    beforeEach(async () => {
      await world.puppet("boss");
      await world.worker("w");
      await world.tell("w", "worker.start", { job: "repeat 1" });
      await world.engine.create("a", { machine: "puppet", input: {}, supervisor: "w" });
      await world.tell("a", "puppet.wait");
    });

    it("is set aside when no migration is known, and the rest starts", async () => {
      await startWith({ machine: newer });
      expect(world.report).toMatchObject({ quarantined: ["a", "boss"] });
      expect(await world.engine.get("a")).toMatchObject({
        status: "quarantined",
        version: "1",
        state: "waiting",
        error: { message: "puppet@1 is not known and has no migration" },
      });
      expect((await world.journal()).at(-1)).toMatchObject({
        address: "w",
        event_type: "actor.failed",
      });
      world.workshop.open.at(-1)?.finish();
      await world.quiet();
      expect((await world.context("w")).results).toEqual([`"done"`]);
    });

    it("is migrated where a migration is known", async () => {
      await startWith({
        machine: newer,
        migrations: { 1: (stored) => ({ ...stored, context: { ...stored.context, born: 7 } }) },
      });
      expect(world.report).toMatchObject({ quarantined: [] });
      expect(await world.engine.get("a")).toMatchObject({ version: "2", context: { born: 7 } });
      await world.advance(1000);
      expect(await world.engine.get("a")).toMatchObject({ state: "ready" });
    });

    it("is set aside when its migration fails, or leads to what is no context", async () => {
      const migrations = {
        1: () => {
          throw new Error("cannot");
        },
      };
      await startWith({ machine: newer, migrations });
      expect(await world.engine.get("a")).toMatchObject({
        error: { message: "the migration of puppet@1 failed: cannot" },
      });
    });

    it("is set aside when its migration leads to what is no context", async () => {
      await startWith({
        machine: newer,
        context: { safeParse: () => ({ success: false }) },
        migrations: { 1: (stored) => stored },
      });
      expect(await world.engine.get("a")).toMatchObject({
        error: { message: "the migration of puppet@1 gives a context that is none of 2" },
      });
    });
  });

  describe(`${name}: an actor that the code cannot read`, () => {
    const damage = async (address: string, damaged: (stored: StoredState) => unknown) => {
      const row = await world.engine.read.get(actorTable, address);
      const snapshot = damaged(row?.snapshot as StoredState) as StoredState;
      world.store.begin();
      world.store.patch(actorTable, [address], { snapshot });
      await world.store.commit();
    };

    it("is set aside at its first event when its context does not parse", async () => {
      await world.puppet("a");
      await startWith({ context: { safeParse: () => ({ success: false }) } });
      expect(await world.tell("a", "puppet.sleep")).toMatchObject({ outcome: "dead" });
      expect(await world.engine.get("a")).toMatchObject({
        status: "quarantined",
        error: { message: "the context is none of a puppet" },
      });
    });

    it.each([
      ["has no timers", (stored: StoredState) => ({ ...stored, timers: undefined })],
      ["has no activities", (stored: StoredState) => ({ ...stored, activities: undefined })],
      ["is nothing", () => null],
    ])("is set aside with all that it had open when its snapshot %s", async (_what, damaged) => {
      await world.puppet("boss");
      await world.engine.create("w", { machine: "worker", input: {}, supervisor: "boss" });
      await world.engine.create("p", { machine: "puppet", input: {}, supervisor: "boss" });
      await world.tell("w", "worker.start", { job: "repeat 1" });
      await world.tell("p", "puppet.wait");
      for (const address of ["w", "p"]) await damage(address, damaged);
      world = await world.dieAndStart();
      expect(await world.engine.get("w")).toMatchObject({ status: "active", nextEvents: [] });
      world.workshop.open.at(-1)?.finish();
      await world.advance(1000);
      for (const address of ["w", "p"])
        expect(await world.engine.get(address)).toMatchObject({
          status: "quarantined",
          error: { message: "its stored snapshot is damaged" },
        });
      expect((await world.seen("boss")).toSorted()).toEqual(["p", "w"]);
      for (const table of [timerTable, activityTable] as readonly Table[])
        expect(await world.engine.read.select(table, { index: "key" })).toEqual([]);
    });

    it("is set aside at its first event when its state is gone", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.sleep");
      const { asleep: _gone, ...states } = puppetMachine.config.states as Record<string, object>;
      const config = { ...puppetMachine.config, states: { ...states, ready: {} } };
      const machine = createMachine(config as never, puppetMachine.implementations as never);
      await startWith({ machine });
      expect(await world.engine.get("a")).toMatchObject({ state: "asleep", nextEvents: [] });
      expect(await world.tell("a", "puppet.wake")).toMatchObject({ outcome: "dead" });
      expect(await world.engine.get("a")).toMatchObject({ status: "quarantined" });
    });

    it("is set aside when pending mail is of an event that the code does not know", async () => {
      await world.puppet("b");
      await world.puppet("a");
      world = await world.closeAndStart({
        limits: { cascadeSteps: 1 },
        faultPoint: (label) => {
          if (label === "after puppet:puppet.do") throw new EngineCrash(label);
        },
      });
      await world.make("a", sendTo("b", { type: "puppet.forgotten" })).catch(() => {});
      world = await world.dieAndStart({ faultPoint: () => {} });
      expect(await world.engine.get("b")).toMatchObject({
        status: "quarantined",
        error: { code: "event.unknown" },
      });
      const letters = await world.engine.read.select(deadLetterTable, { index: "key" });
      expect(letters).toMatchObject([{ event: { type: "puppet.forgotten" } }]);
    });
  });

  describe(`${name}: what is kept`, () => {
    it("a journal row for every event: before, after, outcome, trace, cause", async () => {
      await world.puppet("a");
      const { seq } = await world.tell("a", "puppet.sleep");
      await world.engine.send("a", note("x"), { origin: "cli", trace: "mine" });
      expect((await world.journal()).slice(-2)).toMatchObject([
        {
          seq,
          at: 1_000_000,
          address: "a",
          machine: "puppet",
          event_type: "puppet.sleep",
          event: { type: "puppet.sleep" },
          origin: "cli",
          outcome: "handled",
          reason: null,
          state_before: "ready",
          state_after: "asleep",
          cause: null,
        },
        {
          outcome: "rejected",
          reason: "It sleeps.",
          state_before: "asleep",
          state_after: "asleep",
          trace: "mine",
        },
      ]);
    });

    it("only as long as retention says: journal, ended actors, keys", async () => {
      for (const address of ["a", "b"]) await world.puppet(address);
      await world.tell("a", "puppet.end");
      await world.advance(1000);
      await world.tell("b", "puppet.sleep");
      const before = 1_000_500;
      const gone = await world.engine.prune({
        journalBefore: before,
        endedActorsBefore: before,
        idempotencyBefore: before,
      });
      expect(gone).toBe(4);
      expect(await world.journal()).toMatchObject([{ event_type: "puppet.sleep" }]);
      expect(await world.engine.actors({})).toMatchObject([{ address: "b" }]);
    });

    it("in hundreds at a time, so that pruning holds nobody up", async () => {
      await world.puppet("a");
      await Promise.all(
        Array.from({ length: 600 }, () =>
          world.engine.send("a", { type: "puppet.wake" }, { origin: "cli" }),
        ),
      );
      await world.advance(1);
      const gone = await world.engine.prune({
        journalBefore: 1_000_001,
        endedActorsBefore: 0,
        idempotencyBefore: 0,
      });
      expect(gone).toBe(601);
      expect(await world.engine.read.select(journalTable, { index: "key" })).toEqual([]);
    });

    it("actors beyond the cache as rows alone: evicted ones go on as if nothing were", async () => {
      world = await world.closeAndStart({ limits: { cachedActors: 2 } });
      const addresses = Array.from({ length: 6 }, (_, n) => `p${n}`);
      for (const address of addresses) await world.puppet(address);
      await world.worker("w");
      await world.tell("w", "worker.start", { job: "repeat 1" });
      for (const address of addresses) await world.tell(address, "puppet.wait");
      expect(world.engine.health()).toMatchObject({ cachedActors: 2 });
      await world.advance(1000);
      world.workshop.open[0]?.finish();
      await world.quiet();
      const states = (await world.engine.actors({})).map(({ state }) => state);
      expect(states).toEqual([...addresses.map(() => "ready"), "idle"]);
      expect((await world.context("w")).results).toEqual([`"done"`]);
    });
  });

  describe(`${name}: looking at actors`, () => {
    it("shows state, tags, context and the events that it takes", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.wait");
      expect(await world.engine.get("a")).toMatchObject({
        address: "a",
        machine: "puppet",
        version: "1",
        parent: null,
        state: "waiting",
        tags: ["waiting"],
        status: "active",
        since: 1_000_000,
        nextEvents: ["puppet.cancel", "puppet.wait", "puppet.wake"],
      });
      expect(await world.engine.get("nobody")).toBeUndefined();
    });

    it("lists them by status and by address", async () => {
      for (const address of ["x/1", "x/2", "y/1"]) await world.puppet(address);
      await world.tell("x/2", "puppet.end");
      const list = async (filter: Parameters<World["engine"]["actors"]>[0]) =>
        (await world.engine.actors(filter)).map(({ address }) => address);
      expect(await list({})).toEqual(["x/1", "x/2", "y/1"]);
      expect(await list({ prefix: "x/" })).toEqual(["x/1", "x/2"]);
      expect(await list({ prefix: "x/", status: "active" })).toEqual(["x/1"]);
      expect(await list({ limit: 1 })).toEqual(["x/1"]);
      expect(await world.engine.read.get(actorTable, "y/1")).toMatchObject({ status: "active" });
    });
  });
}
