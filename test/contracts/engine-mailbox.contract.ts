import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deadLetterTable, idempotencyTable, mailTable } from "../../src/engine/tables.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import { ask, sendTo, spawn } from "../../src/machines/effect-actions.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { openWorld, type World, worldTables } from "../support/engine-world.ts";
import { wrapStore } from "../support/wrapped-store.ts";

/** Events, their outcomes, and their order. */
export function mailboxContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
  });

  afterEach(() => disk.dispose());

  const note = (text: string) => ({ type: "puppet.note", note: text });

  describe(`${name}: an event`, () => {
    it("carries the time, its number, its trace, its cause and its origin", async () => {
      await world.puppet("b");
      await world.puppet("a");
      const { seq } = await world.make("a", sendTo("b", note("hello")));
      const [sent, received] = (await world.journal()).slice(-2);
      expect(sent).toMatchObject({ seq, at: 1_000_000, origin: "cli", cause: null });
      expect(received).toMatchObject({
        seq: seq + 1,
        at: 1_000_000,
        origin: "actor",
        cause: seq,
        trace: sent?.trace,
      });
      const { seen } = await world.context("b");
      expect(seen).toEqual([{ type: "puppet.note", seq: seq + 1, note: "hello" }]);
    });

    it("gets its time at birth too", async () => {
      await world.puppet("a");
      expect(await world.context("a")).toMatchObject({ born: 1_000_000 });
    });

    it("keeps the trace that it was sent with", async () => {
      await world.puppet("a");
      await world.engine.send("a", note("x"), { origin: "cli", trace: "mine" });
      expect((await world.journal()).at(-1)).toMatchObject({ trace: "mine" });
    });

    it("gets a number that nothing had before, in a cascade and after a crash", async () => {
      await world.puppet("b");
      await world.puppet("a");
      await world.make("a", sendTo("b", note("1")), sendTo("b", note("2")));
      world = await world.dieAndStart();
      const { seq } = await world.make("a", sendTo("b", note("3")));
      const numbers = (await world.journal()).map((row) => row.seq);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(numbers.slice(-2)).toEqual([seq, seq + 1]);
    });
  });

  describe(`${name}: what becomes of an event`, () => {
    it("is said to the sender after the step: handled, and the state", async () => {
      await world.puppet("a");
      expect(await world.tell("a", "puppet.sleep")).toEqual({
        seq: expect.any(Number),
        outcome: "handled",
        state: "asleep",
      });
    });

    it("is said when the state does not accept it, with the reason that the chart gives", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.sleep");
      expect(await world.engine.send("a", note("x"), { origin: "cli" })).toMatchObject({
        outcome: "rejected",
        state: "asleep",
        reason: "It sleeps.",
      });
      expect(await world.tell("a", "puppet.sleep")).toMatchObject({
        outcome: "rejected",
        reason: "puppet does not accept puppet.sleep while asleep",
      });
      expect((await world.journal()).at(-1)).toMatchObject({ outcome: "rejected" });
    });

    it("is rejected by an actor that has ended", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.end");
      expect(await world.tell("a", "puppet.sleep")).toMatchObject({
        outcome: "rejected",
        reason: "actor.ended: it is done",
      });
    });

    it("is a dead letter where nobody lives", async () => {
      expect(await world.tell("nobody", "puppet.sleep")).toMatchObject({
        outcome: "dead",
        reason: "actor.not_found: nobody lives at this address",
      });
      const letters = await world.engine.read.select(deadLetterTable, { index: "key" });
      expect(letters).toMatchObject([{ address: "nobody", event: { type: "puppet.sleep" } }]);
    });

    it("is refused at the door when it is unknown, of a wrong origin or shape, or not to be poked", async () => {
      await world.puppet("a");
      const { engine } = world;
      const before = (await world.journal()).length;
      await expect(world.tell("a", "puppet.dance")).rejects.toMatchObject({
        code: "event.unknown",
      });
      await expect(engine.send("a", note("x"), { origin: "channel" })).rejects.toMatchObject({
        code: "event.wrong_origin",
      });
      await expect(world.tell("a", "puppet.note", { note: 1 })).rejects.toMatchObject({
        code: "event.invalid",
      });
      await expect(world.tell("a", "puppet.do", { effects: [Number.NaN] })).rejects.toMatchObject({
        code: "event.invalid",
      });
      await expect(
        engine.send("a", { type: "puppet.end" }, { origin: "cli", poke: true }),
      ).rejects.toMatchObject({ code: "event.not_pokeable" });
      expect((await world.journal()).length).toBe(before);
    });

    it("is answered again, not done again, under the same idempotency key, also after a crash", async () => {
      await world.puppet("a");
      const send = () =>
        world.engine.send("a", note("once"), { origin: "cli", idempotencyKey: "k1" });
      const [first, second] = await Promise.all([send(), send()]);
      world = await world.dieAndStart();
      expect(second).toEqual(first);
      expect(await send()).toEqual(first);
      expect(await world.seen("a")).toEqual(["once"]);
      await world.engine.prune({
        journalBefore: 0,
        endedActorsBefore: 0,
        idempotencyBefore: 1_000_001,
      });
      expect(await world.engine.read.select(idempotencyTable, { index: "key" })).toEqual([]);
    });

    it("is kept with the birth of its receiver, in one transaction", async () => {
      const create = { machine: "puppet", input: {} };
      const send = () => world.engine.send("new", note("hi"), { origin: "cli", create });
      expect(await send()).toMatchObject({ outcome: "handled", state: "ready" });
      await send();
      expect(await world.seen("new")).toEqual(["hi", "hi"]);
    });

    it("is refused with mailbox.full when too many wait", async () => {
      world = await world.closeAndStart({ limits: { mailboxCap: 3 } });
      await world.puppet("a");
      await world.puppet("b");
      const sends = [1, 2, 3, 4].map((n) =>
        world.engine.send("a", note(`${n}`), { origin: "cli" }),
      );
      const other = world.tell("b", "puppet.sleep");
      const outcomes = await Promise.allSettled(sends);
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "fulfilled",
        "fulfilled",
        "rejected",
      ]);
      expect(outcomes[3]).toMatchObject({ reason: { code: "mailbox.full", retryable: true } });
      await other;
      expect(await world.seen("a")).toEqual(["1", "2", "3"]);
    });

    it("leaves a living actor alone when another is to be made at its address", async () => {
      await world.puppet("a");
      await expect(world.puppet("a")).rejects.toMatchObject({ code: "actor.exists" });
      expect(await world.tell("a", "puppet.sleep")).toMatchObject({ outcome: "handled" });
    });
  });

  describe(`${name}: the order of events`, () => {
    it("is first in, first out for each receiver", async () => {
      await world.puppet("a");
      await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          world.engine.send("a", note(`${n}`), { origin: "cli" }),
        ),
      );
      expect(await world.seen("a")).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`));
    });

    it("lets everything that follows from an event go before the next one from outside", async () => {
      for (const address of ["a", "b", "c"]) await world.puppet(address);
      const relay = { type: "puppet.do", effects: [sendTo("c", note("cascade"))] };
      const first = world.make("a", sendTo("b", relay));
      const second = world.engine.send("c", note("outside"), { origin: "cli" });
      await Promise.all([first, second]);
      expect(await world.seen("c")).toEqual(["cascade", "outside"]);
    });

    it("cuts a cascade after 64 steps, keeps the rest as rows, and goes on with it first", async () => {
      await world.puppet("b");
      await world.puppet("a");
      const many = Array.from({ length: 100 }, (_, n) => sendTo("b", note(`${n}`)));
      const rowsAfter: number[] = [];
      world = await world.closeAndStart({
        wrap: (store) =>
          wrapStore(store, {
            commit: async () => {
              await store.commit();
              rowsAfter.push(store.select(mailTable, { index: "key" }).length);
            },
          }),
      });
      rowsAfter.length = 0;
      const first = world.make("a", ...many);
      const second = world.engine.send("b", note("outside"), { origin: "cli" });
      await Promise.all([first, second]);
      expect(rowsAfter.slice(0, 2)).toEqual([37, 0]);
      expect(await world.seen("b")).toEqual([
        ...Array.from({ length: 100 }, (_, n) => `${n}`),
        "outside",
      ]);
    });

    it("cuts a cascade after 8 milliseconds too", async () => {
      const rowsAfter: number[] = [];
      const slow = () => {
        world.clock.advance(9);
        return [];
      };
      world = await world.closeAndStart({
        lookups: { slow },
        wrap: (store) =>
          wrapStore(store, {
            commit: async () => {
              await store.commit();
              rowsAfter.push(store.select(mailTable, { index: "key" }).length);
            },
          }),
      });
      await world.puppet("b");
      await world.puppet("a");
      rowsAfter.length = 0;
      await world.make("a", ask("slow", {}), sendTo("b", note("1")), sendTo("b", note("2")));
      await world.quiet();
      expect(rowsAfter.slice(0, 2)).toEqual([2, 0]);
      expect(await world.seen("b")).toEqual(["1", "2"]);
    });

    it("keeps what one actor sends to another in order across a cut", async () => {
      world = await world.closeAndStart({ limits: { cascadeSteps: 1 } });
      for (const address of ["a", "b", "c"]) await world.puppet(address);
      const later = { type: "puppet.do", effects: [sendTo("c", note("later"))] };
      await world.make("b", sendTo("b", later), sendTo("c", note("sooner")));
      await world.quiet();
      expect(await world.seen("c")).toEqual(["sooner", "later"]);
    });

    it("goes on with a cut cascade after a crash, and loses and doubles nothing", async () => {
      const puppets = Array.from({ length: 30 }, (_, n) => spawn(`p${n}`, "puppet", {}));
      let commits = 0;
      world = await world.closeAndStart({
        limits: { cascadeSteps: 10 },
        faultPoint: (label) => {
          commits += label.startsWith("after puppet:puppet.do") ? 1 : 0;
          if (commits === 1) throw new EngineCrash(label);
        },
      });
      await world.puppet("a");
      await expect(world.make("a", ...puppets)).rejects.toMatchObject({ code: "engine.closed" });
      world = await world.dieAndStart({ faultPoint: () => {} });
      const children = await world.engine.actors({ prefix: "a/" });
      expect(children).toHaveLength(30);
      expect(await world.engine.read.select(mailTable, { index: "key" })).toEqual([]);
    });
  });
}
