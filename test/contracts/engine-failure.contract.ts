import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deadLetterTable, mailTable } from "../../src/engine/tables.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import {
  ask,
  type EffectAction,
  putRow,
  sendTo,
  spawn,
} from "../../src/machines/effect-actions.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { noteTable, openWorld, type World, worldTables } from "../support/engine-world.ts";
import { wrapStore } from "../support/wrapped-store.ts";

/** What goes wrong, and what goes on. */
export function failureContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
  });

  afterEach(() => disk.dispose());

  const note = (text: string) => ({ type: "puppet.note", note: text });
  const letters = () => world.engine.read.select(deadLetterTable, { index: "key" });
  const statusOf = async (address: string) => (await world.engine.get(address))?.status;
  const supervised = async (address: string) => {
    await world.puppet("boss");
    await world.engine.create(address, { machine: "puppet", input: {}, supervisor: "boss" });
  };

  describe(`${name}: a step that fails`, () => {
    it.each([
      ["throws", "puppet.throw", "Unable to evaluate guard 'throws'"],
      ["yields what JSON refuses", "puppet.spoil", "context.born is NaN"],
      ["runs for ever", "puppet.loop", "Infinite loop detected"],
    ])("because it %s: dead letter, quarantine, supervisor told", async (_how, type, message) => {
      await supervised("a");
      await world.engine.send("a", note("good"), { origin: "cli" });
      expect(await world.tell("a", type)).toMatchObject({
        outcome: "dead",
        reason: expect.stringContaining(message),
      });
      expect(await world.engine.get("a")).toMatchObject({
        status: "quarantined",
        error: { message: expect.stringContaining(message) },
        context: { seen: [{ note: "good" }] },
      });
      expect(await letters()).toMatchObject([{ address: "a", event: { type } }]);
      expect(await world.seen("boss")).toEqual(["a"]);
      expect(await world.tell("a", "puppet.wake")).toMatchObject({
        outcome: "dead",
        reason: "actor.quarantined: the actor was set aside",
      });
      expect(await world.tell("boss", "puppet.sleep")).toMatchObject({ outcome: "handled" });
    });

    it("leaves the others of its batch as they would have been", async () => {
      for (const address of ["a", "b", "c"]) await world.puppet(address);
      const outcomes = await Promise.all([
        world.make("a", putRow(noteTable, { id: "1", owner: "a", text: "" })),
        world.make("b", ask("fail", {})),
        world.make("c", putRow(noteTable, { id: "2", owner: "c", text: "" })),
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(["handled", "dead", "handled"]);
      expect(await world.engine.read.select(noteTable, { index: "key" })).toHaveLength(2);
      expect(await statusOf("b")).toBe("quarantined");
      expect((await world.journal()).filter(({ outcome }) => outcome === "dead")).toHaveLength(1);
    });

    it("in the middle of a cascade undoes nothing of what others did", async () => {
      for (const address of ["a", "b", "c"]) await world.puppet(address);
      const failing = { type: "puppet.do", effects: [ask("fail", {})] };
      expect(
        await world.make("a", sendTo("b", failing), sendTo("b", failing), sendTo("c", note("x"))),
      ).toMatchObject({ outcome: "handled" });
      expect(await statusOf("b")).toBe("quarantined");
      expect(await world.seen("a")).toEqual(["puppet.do"]);
      expect(await world.seen("c")).toEqual(["x"]);
    });

    it("twice in one cascade sets both actors aside", async () => {
      for (const address of ["a", "b", "c"]) await world.puppet(address);
      const failing = { type: "puppet.do", effects: [ask("fail", {})] };
      await world.make("a", sendTo("b", failing), sendTo("c", failing));
      expect(await statusOf("b")).toBe("quarantined");
      expect(await statusOf("c")).toBe("quarantined");
      expect(await statusOf("a")).toBe("active");
    });
  });

  describe(`${name}: an effect that cannot be carried out`, () => {
    const unknown: readonly (readonly [string, EffectAction, string])[] = [
      [
        "a write to a table that is not for machines",
        { type: "write", params: { table: "actors", op: "remove", key: ["a"] } },
        "machines may not write the table actors",
      ],
      ["a lookup that nobody knows", ask("nothing", {}), "no lookup is called nothing"],
      ["mail to a parent that is not there", sendTo("parent", note("x")), "a has no parent"],
    ];
    it.each(unknown)("is the actor's fault: %s", async (_what, effect, message) => {
      await world.puppet("a");
      expect(await world.make("a", effect)).toMatchObject({
        outcome: "dead",
        reason: expect.stringContaining(message),
      });
      expect(await statusOf("a")).toBe("quarantined");
    });

    it("lets a person give up the actor that it set aside, so that its address lives anew", async () => {
      await supervised("a");
      await world.tell("a", "puppet.throw");
      const row = { id: "1", owner: "boss", text: "gone" };
      const told = { table: noteTable.name, op: "put", row } as const;
      await world.engine.retire("a", [told]);
      expect(await statusOf("a")).toBe("stopped");
      expect(await world.engine.read.get(noteTable, "1")).toMatchObject({ text: "gone" });
      await world.engine.create("a", { machine: "puppet", input: {} });
      expect(await world.tell("a", "puppet.sleep")).toMatchObject({ outcome: "handled" });
      await expect(world.engine.retire("a")).rejects.toMatchObject({ code: "event.not_accepted" });
      await expect(world.engine.retire("z")).rejects.toMatchObject({ code: "actor.not_found" });
    });

    it("is a row that the store refuses", async () => {
      world = await world.closeAndStart({
        wrap: (store) =>
          wrapStore(store, {
            put: (table, row) => {
              if (table.name === "notes") throw new AgentError("internal", "no such row");
              store.put(table, row);
            },
          }),
      });
      await world.puppet("a");
      const effect = putRow(noteTable, { id: "1", owner: "a", text: "" });
      expect(await world.make("a", effect)).toMatchObject({
        outcome: "dead",
        reason: "internal: no such row",
      });
      expect(await statusOf("a")).toBe("quarantined");
    });
  });

  describe(`${name}: a birth that fails`, () => {
    it.each([
      ["no machine", spawn("child", "nothing", {}), "no machine is called nothing"],
      [
        "an effect of its first step",
        spawn("child", "puppet", { first: [ask("fail", {})] }),
        "the lookup failed",
      ],
    ])("is a dead letter, and the parent hears of it: %s", async (_what, effect, message) => {
      await world.puppet("a");
      expect(await world.make("a", effect)).toMatchObject({ outcome: "handled" });
      expect(await world.seen("a")).toEqual(["puppet.do", "a/child"]);
      expect(await world.engine.get("a/child")).toBeUndefined();
      expect(await letters()).toMatchObject([
        { address: "a/child", reason: `internal: ${message}` },
      ]);
    });

    it("leaves no row of it behind", async () => {
      await world.puppet("a");
      const first = [putRow(noteTable, { id: "1", owner: "x", text: "" }), ask("fail", {})];
      await world.make("a", spawn("child", "puppet", { first }));
      expect(await world.engine.read.select(noteTable, { index: "key" })).toEqual([]);
    });
  });

  describe(`${name}: the end of an actor`, () => {
    it("stops its work and its timers, and asks its children to end", async () => {
      await world.puppet("a");
      await world.make("a", spawn("puppet", "puppet", {}), spawn("worker", "worker", {}));
      await world.tell("a/worker", "worker.start", { job: "keyed 1" });
      await world.tell("a", "puppet.wait");
      await world.tell("a", "puppet.cancel");
      expect(await statusOf("a")).toBe("done");
      expect(await statusOf("a/puppet")).toBe("done");
      expect(await world.engine.get("a/worker")).toMatchObject({ state: "stopping" });
      expect(world.workshop.open[0]?.signal.aborted).toBe(true);
      await world.advance(5000);
      expect((await world.journal()).filter(({ origin }) => origin === "timer")).toEqual([]);
    });

    it("aborts what ran for it, and its late result is rejected", async () => {
      await world.worker("w");
      await world.tell("w", "worker.start", { job: "repeat 1" });
      const job = world.workshop.open[0];
      await world.tell("w", "worker.end");
      expect(job?.signal.aborted).toBe(true);
      job?.finish();
      await world.quiet();
      expect((await world.journal()).at(-1)).toMatchObject({
        event_type: "activity.stopped",
        outcome: "rejected",
        reason: "actor.ended: it is done",
      });
    });

    it("does not end its children when they were born elsewhere", async () => {
      await world.puppet("a");
      await world.puppet("a/stranger");
      await world.tell("a", "puppet.end");
      expect(await statusOf("a/stranger")).toBe("active");
    });
  });

  describe(`${name}: a restart`, () => {
    it("is a fresh life from the first input, and the old one's work and timers are over", async () => {
      await world.puppet("boss");
      await world.make("boss", spawn("w", "worker", { job: "repeat" }));
      await world.tell("boss/w", "worker.start", { job: "repeat 1" });
      const old = world.workshop.open[0];
      await world.make("boss", { type: "restartActor", params: { address: "boss/w" } });
      expect(await world.engine.get("boss/w")).toMatchObject({
        state: "idle",
        status: "active",
        parent: "boss",
        context: { job: "repeat", results: [] },
      });
      expect(old?.signal.aborted).toBe(true);
      old?.finish();
      await world.quiet();
      expect((await world.context("boss/w")).results).toEqual([]);
    });

    it("brings back an actor that was set aside", async () => {
      await supervised("a");
      await world.tell("a", "puppet.throw");
      await world.make("boss", { type: "restartActor", params: { address: "a" } });
      expect(await world.tell("a", "puppet.sleep")).toMatchObject({ outcome: "handled" });
    });
  });

  describe(`${name}: an event that kills the process`, () => {
    it("is parked after three deaths, and the rest goes on", async () => {
      await world.puppet("b");
      await world.puppet("a");
      const killer = { type: "puppet.do", effects: [ask("kill", {})] };
      const kill = () => {
        throw new EngineCrash("kill");
      };
      world = await world.closeAndStart({
        limits: { cascadeSteps: 1 },
        lookups: { kill },
        faultPoint: (label) => {
          if (label === "after puppet:puppet.do") throw new EngineCrash(label);
        },
      });
      await world.make("a", sendTo("b", killer), sendTo("a", note("innocent"))).catch(() => {});
      const codes: unknown[] = [];
      while (codes.length < 10) {
        const next = await world.dieAndStart({ faultPoint: () => {} }).catch((error: unknown) => {
          codes.push((error as AgentError).code);
        });
        if (next === undefined) continue;
        world = next;
        break;
      }
      expect(codes).toEqual(["engine.closed", "engine.closed", "engine.closed"]);
      expect(await statusOf("b")).toBe("quarantined");
      expect(await world.engine.get("b")).toMatchObject({ error: { code: "activity.crash_loop" } });
      expect(await world.seen("a")).toEqual(["puppet.do", "innocent"]);
      expect(await world.engine.read.select(mailTable, { index: "key" })).toEqual([]);
    });
  });

  describe(`${name}: a store that cannot be written`, () => {
    const full = new AgentError("store.unavailable", "the disk is full", { retryable: true });

    it("stops intake, is said, heals, and loses nothing", async () => {
      let isFull = false;
      world = await world.closeAndStart({
        wrap: (store) =>
          wrapStore(store, {
            commit: () => {
              if (isFull) throw full;
              return store.commit();
            },
          }),
      });
      const heard: (string | null)[] = [];
      world.engine.onHealth((degraded) => heard.push(degraded?.message ?? null));
      await world.worker("w");
      await world.tell("w", "worker.start", { job: "once 1" });
      isFull = true;
      await expect(world.tell("w", "worker.stop")).rejects.toMatchObject({
        code: "store.unavailable",
        retryable: true,
      });
      expect(world.engine.health().degraded).toMatchObject({ message: "the disk is full" });
      world.workshop.open[0]?.finish("kept");
      await expect(world.tell("w", "worker.stop")).rejects.toMatchObject({
        code: "store.unavailable",
      });
      world.clock.advance(1000);
      await expect(world.tell("w", "worker.stop")).rejects.toMatchObject({
        code: "store.unavailable",
      });
      isFull = false;
      const healed = world.engine.settled();
      await turns();
      world.clock.advance(1000);
      await healed;
      expect(world.engine.health().degraded).toBeNull();
      expect(heard).toEqual(["the disk is full", null]);
      expect((await world.context("w")).results).toEqual([`"kept"`]);
      expect(await world.tell("w", "worker.end")).toMatchObject({ outcome: "handled" });
    });

    it("does not take an actor's event for the culprit", async () => {
      let isBroken = false;
      world = await world.closeAndStart({
        wrap: (store) =>
          wrapStore(store, {
            patch: (table, key, changes) => {
              if (isBroken) throw new AgentError("store.corrupt", "the file is damaged");
              store.patch(table, key, changes);
            },
          }),
      });
      await world.puppet("a");
      isBroken = true;
      await expect(world.tell("a", "puppet.sleep")).rejects.toMatchObject({
        code: "store.corrupt",
      });
      isBroken = false;
      expect(await statusOf("a")).toBe("active");
    });

    it("does not keep the engine from closing", async () => {
      let isFull = false;
      world = await world.closeAndStart({
        wrap: (store) =>
          wrapStore(store, {
            commit: () => {
              if (isFull) throw full;
              return store.commit();
            },
          }),
      });
      await world.worker("w");
      await world.tell("w", "worker.start", { job: "repeat 1" });
      isFull = true;
      await world.engine.close();
      isFull = false;
      world = await world.dieAndStart();
      expect(world.workshop.open).toHaveLength(1);
    });
  });

  describe(`${name}: open and closed`, () => {
    it("is settled when nothing waits and nothing runs, and when it is dead", async () => {
      await world.worker("w");
      await world.tell("w", "worker.start", { job: "repeat 1" });
      const settled = world.engine.settled();
      const first = [settled.then(() => "settled"), world.quiet().then(() => "quiet")];
      expect(await Promise.race(first)).toBe("quiet");
      world.workshop.open[0]?.finish();
      await settled;
      expect((await world.context("w")).results).toEqual([`"done"`]);

      world = await world.closeAndStart({
        faultPoint: (label) => {
          if (label === "before worker:worker.stop") throw new EngineCrash(label);
        },
      });
      await world.tell("w", "worker.start", { job: "repeat 2" });
      await world.tell("w", "worker.stop").catch(() => {});
      await world.engine.settled();
      expect(world.workshop.open).toHaveLength(1);
    });

    it("takes nothing after the end, and ends once", async () => {
      await world.puppet("a");
      await Promise.all([world.engine.close(), world.engine.close()]);
      await expect(world.tell("a", "puppet.sleep")).rejects.toMatchObject({
        code: "engine.closed",
      });
      await expect(world.puppet("b")).rejects.toMatchObject({ code: "engine.closed" });
    });
  });
}

/** Lets what was begun go as far as it can without the clock. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
