import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Notice, RowCompletion } from "../../src/engine/engine.ts";
import { type ActorRow, type JournalRow, timerTable } from "../../src/engine/tables.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import {
  ask,
  type EffectAction,
  patchRow,
  putRow,
  removeRow,
  sendTo,
} from "../../src/machines/effect-actions.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { noteTable, openWorld, type World, worldTables } from "../support/engine-world.ts";

/** Lookups, writes, notices, timers: what a step asks for besides sending. */
export function rowsContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
  });

  afterEach(() => disk.dispose());

  const row = (id: string, owner = "a") => ({ id, owner, text: id });
  const notes = () => world.engine.read.select(noteTable, { index: "key" });
  const note = (text: string) => ({ type: "puppet.note", note: text });
  const wakeLater = (id: string, delayMs: number): EffectAction => ({
    type: "wakeLater",
    params: { id, delayMs, event: note(id) },
  });
  const say = (text: string): EffectAction => ({
    type: "notice",
    params: { notice: { type: "said", text } },
  });

  describe(`${name}: a lookup`, () => {
    it("sees what this transaction wrote, and its answer is the next event of the cascade, journaled", async () => {
      await world.puppet("a");
      await world.make(
        "a",
        sendTo("a", note("sent")),
        putRow(noteTable, row("1")),
        ask("countNotes", { owner: "a" }),
        putRow(noteTable, row("2")),
        ask("countNotes", { owner: "a" }),
      );
      expect(await world.seen("a")).toEqual(["puppet.do", "1 notes", "2 notes", "sent"]);
      expect((await world.journal()).map(({ event }) => event["note"]).slice(-3)).toEqual([
        "1 notes",
        "2 notes",
        "sent",
      ]);
    });

    it("and its answer are never parted by the cut of a cascade", async () => {
      world = await world.closeAndStart({ limits: { cascadeSteps: 1 } });
      await world.puppet("a");
      await world.make("a", sendTo("a", note("sent")), ask("countNotes", { owner: "a" }));
      await world.quiet();
      expect(await world.seen("a")).toEqual(["puppet.do", "0 notes", "sent"]);
    });

    it("that leads to lookups for ever is stopped: the actor is set aside and the rest goes on", async () => {
      await world.puppet("a");
      await world.puppet("b");
      await world.make("a", ask("echo", {}));
      expect(await world.engine.get("a")).toMatchObject({
        status: "quarantined",
        error: { message: "lookups led to lookups for 1024 steps" },
      });
      expect(await world.tell("b", "puppet.sleep")).toMatchObject({ outcome: "handled" });
    });
  });

  describe(`${name}: a write`, () => {
    it("puts, patches and removes rows with the step", async () => {
      await world.puppet("a");
      await world.make("a", putRow(noteTable, row("1")), putRow(noteTable, row("2")));
      await world.make(
        "a",
        patchRow(noteTable, ["1"], { text: "changed" }),
        removeRow(noteTable, "2"),
      );
      expect(await notes()).toEqual([{ id: "1", owner: "a", text: "changed" }]);
    });

    it("happens with its step or not at all", async () => {
      await world.puppet("a");
      const result = await world.make(
        "a",
        putRow(noteTable, row("1")),
        sendTo("a", note("sent")),
        ask("fail", {}),
      );
      expect(result).toMatchObject({ outcome: "dead", reason: "internal: the lookup failed" });
      expect(await notes()).toEqual([]);
      expect(await world.seen("a")).toEqual([]);
    });

    it("may be completed in the same transaction", async () => {
      const notesBefore: RowCompletion = (put, read) => {
        const before = read.select(noteTable, { index: "key" }).length;
        return { ...put, text: `after ${before}` };
      };
      world = await world.closeAndStart({ completions: { notes: notesBefore } });
      await world.puppet("a");
      await world.make("a", putRow(noteTable, row("1")), putRow(noteTable, row("2")));
      expect((await notes()).map(({ text }) => text)).toEqual(["after 0", "after 1"]);
    });

    it("of a row with an owner ends with the owner", async () => {
      await world.puppet("a");
      await world.make("a", putRow(noteTable, row("1")), putRow(noteTable, row("2", "other")));
      await world.tell("a", "puppet.end");
      expect((await notes()).map(({ id }) => id)).toEqual(["2"]);
    });
  });

  describe(`${name}: a notice`, () => {
    it("is told after the commit, and never when the step is undone", async () => {
      const told: (readonly [Notice["notice"], number])[] = [];
      world.engine.onNotice(({ notice }) =>
        told.push([notice, world.store.select(noteTable, { index: "key" }).length]),
      );
      await world.puppet("a");
      await world.make("a", say("committed"), putRow(noteTable, row("1")));
      await world.make("a", say("undone"), ask("fail", {}));
      expect(told).toEqual([[{ type: "said", text: "committed" }, 1]]);
    });

    it("and a step are told to every listener, whatever the others do", async () => {
      const heard: string[] = [];
      world.engine.onStep(() => {
        throw new Error("a listener failed");
      });
      world.engine.onNotice(() => {
        throw new Error("a listener failed");
      });
      const stop = world.engine.onStep(({ event_type }) => heard.push(event_type));
      world.engine.onNotice(({ notice }) => heard.push(notice["text"] as string));
      await world.puppet("a");
      expect(await world.make("a", say("hello"))).toMatchObject({ outcome: "handled" });
      stop();
      await world.tell("a", "puppet.sleep");
      expect(heard).toEqual(["actor.created", "puppet.do", "hello"]);
    });

    it("comes after the step it belongs to, and before the sender's answer", async () => {
      const heard: string[] = [];
      world.engine.onStep(({ event_type }) => heard.push(event_type));
      world.engine.onNotice(({ notice }) => heard.push(notice["text"] as string));
      await world.puppet("a");
      await world.make("a", say("hello"));
      heard.push("answered");
      expect(heard).toEqual(["actor.created", "puppet.do", "hello", "answered"]);
    });
  });

  describe(`${name}: what a sender wants recorded`, () => {
    const record = (step: JournalRow, actor: ActorRow | undefined) => {
      const text = `${step.event_type} ${step.outcome} ${actor?.state}`;
      return [
        { table: noteTable.name, op: "put" as const, row: { id: `${step.seq}`, owner: "a", text } },
      ];
    };
    const send = (address: string, type: string, key?: string) =>
      world.engine.send(
        address,
        { type },
        {
          origin: "cli",
          record,
          ...(key === undefined ? {} : { idempotencyKey: key }),
        },
      );
    const texts = async () => (await notes()).map(({ text }) => text);

    it("stands in the transaction of the step that takes the event, or refuses it, or finds nobody", async () => {
      await world.puppet("a");
      await send("a", "puppet.sleep");
      await send("a", "puppet.sleep");
      await send("nobody", "puppet.sleep");
      expect(await texts()).toEqual([
        "puppet.sleep handled asleep",
        "puppet.sleep rejected asleep",
        "puppet.sleep dead undefined",
      ]);
    });

    it("stands there once, however often the event comes under its key", async () => {
      await world.puppet("a");
      await send("a", "puppet.sleep", "k");
      await send("a", "puppet.sleep", "k");
      expect(await texts()).toEqual(["puppet.sleep handled asleep"]);
    });

    it("is written by itself, where no actor has a part in it", async () => {
      await world.engine.write([{ table: noteTable.name, op: "put", row: row("alone") }]);
      expect(await texts()).toEqual(["alone"]);
      const unknown = { table: "actors", op: "put", row: {} } as const;
      await expect(world.engine.write([unknown])).rejects.toMatchObject({ code: "internal" });
    });
  });

  describe(`${name}: a timer`, () => {
    it("is a row with an absolute time, and fires then", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.wait");
      const timers = () => world.engine.read.select(timerTable, { index: "due" });
      expect(await timers()).toMatchObject([{ address: "a", at: 1_001_000 }]);
      await world.advance(999);
      expect(await world.engine.get("a")).toMatchObject({ state: "waiting" });
      await world.advance(1);
      expect(await world.engine.get("a")).toMatchObject({ state: "ready" });
      expect(await timers()).toEqual([]);
      expect((await world.journal()).at(-1)).toMatchObject({ origin: "timer", at: 1_001_000 });
    });

    it("is gone when its state was left", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.wait");
      await world.tell("a", "puppet.wake");
      expect(await world.engine.read.select(timerTable, { index: "due" })).toEqual([]);
    });

    it("begins anew when its state is entered again", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.wait");
      await world.advance(600);
      await world.tell("a", "puppet.wait");
      await world.advance(600);
      expect(await world.engine.get("a")).toMatchObject({ state: "waiting" });
      await world.advance(400);
      expect(await world.engine.get("a")).toMatchObject({ state: "ready" });
    });

    it("that is stale when its turn comes is dropped", async () => {
      await world.puppet("a");
      await world.tell("a", "puppet.wait");
      const again = world.tell("a", "puppet.wait");
      world.clock.advance(1000);
      await again;
      await world.quiet();
      expect((await world.journal()).filter(({ origin }) => origin === "timer")).toEqual([]);
      expect(await world.engine.get("a")).toMatchObject({ state: "waiting" });
    });

    it("fires once and in due order after a restart", async () => {
      await world.puppet("a");
      await world.make(
        "a",
        wakeLater("late", 3000),
        wakeLater("early", 1000),
        wakeLater("mid", 2000),
      );
      world = await world.dieAndStart({ after: 10_000 });
      expect(await world.seen("a")).toEqual(["puppet.do", "early", "mid", "late"]);
      world = await world.dieAndStart({ after: 10_000 });
      expect(await world.seen("a")).toEqual(["puppet.do", "early", "mid", "late"]);
    });

    it("goes behind mail that was acknowledged before the restart", async () => {
      await world.puppet("b");
      await world.puppet("a");
      await world.make("b", wakeLater("overdue", 1000));
      world = await world.closeAndStart({
        limits: { cascadeSteps: 1 },
        faultPoint: crashAfter("after puppet:puppet.do"),
      });
      await world.make("a", sendTo("b", note("mail"))).catch(() => {});
      world = await world.dieAndStart({ after: 10_000, faultPoint: () => {} });
      expect(await world.seen("b")).toEqual(["puppet.do", "mail", "overdue"]);
    });

    it("is stale when the mail before it left its state", async () => {
      await world.puppet("b");
      await world.puppet("a");
      await world.tell("b", "puppet.wait");
      world = await world.closeAndStart({
        limits: { cascadeSteps: 1 },
        faultPoint: crashAfter("after puppet:puppet.do"),
      });
      await world.make("a", sendTo("b", { type: "puppet.wake" })).catch(() => {});
      world = await world.dieAndStart({ after: 10_000, faultPoint: () => {} });
      const [woken, late] = (await world.journal()).slice(-2);
      expect(woken).toMatchObject({ event_type: "puppet.wake", outcome: "handled" });
      expect(late).toMatchObject({ origin: "timer", outcome: "rejected" });
      expect(late?.reason).toMatch(/^stale: timer /);
    });

    it("is looked for at least every 30 seconds, so that a clock that jumps does no harm", async () => {
      await world.puppet("a");
      await world.make("a", wakeLater("in an hour", 3_600_000));
      expect(world.clock.nextDue()).toBeLessThanOrEqual(world.clock.now() + 30_000);
      await world.advance(30_000);
      expect(world.clock.nextDue()).toBeLessThanOrEqual(world.clock.now() + 30_000);
      expect(await world.seen("a")).toEqual(["puppet.do"]);
    });

    it("fires with hundreds of others that are due at once", async () => {
      await world.puppet("a");
      const many = Array.from({ length: 200 }, (_, n) => wakeLater(`t${n}`, 1000));
      await world.make("a", ...many);
      await world.advance(1000);
      expect(await world.seen("a")).toHaveLength(201);
    });
  });
}

function crashAfter(prefix: string): (label: string) => void {
  return (label) => {
    if (label.startsWith(prefix)) throw new EngineCrash(label);
  };
}
