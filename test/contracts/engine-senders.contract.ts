import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Lookup } from "../../src/engine/engine.ts";
import { deadLetterTable, mailTable } from "../../src/engine/tables.ts";
import { EngineCrash } from "../../src/engine/transaction.ts";
import { ask, type EffectAction } from "../../src/machines/effect-actions.ts";
import type { SendParams } from "../../src/schema/effect.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import type { Disk, DiskMaker } from "../support/disks.ts";
import { openWorld, puppetEntry, type World, worldTables } from "../support/engine-world.ts";

/** What a sender may ask for beside its event: a receiver that is made for it, word of a refusal, another trace; and in whose
 *  name it speaks. */
export function sendersContract(name: string, makeDisk: DiskMaker): void {
  let disk: Disk;
  let world: World;

  beforeEach(async () => {
    disk = await makeDisk(worldTables);
    world = await openWorld(disk);
    await world.puppet("a");
  });

  afterEach(() => disk.dispose());

  const note = (text: string) => ({ type: "puppet.note", note: text });
  const doing = (...effects: readonly EffectAction[]) => ({ type: "puppet.do", effects });
  const puppet = (input: object = {}) => ({ machine: "puppet", input: input as JsonObject });
  const sent = (params: SendParams): EffectAction => ({ type: "send", params });
  const refused = note("it was refused");
  const births = async (address: string) =>
    (await world.journal()).filter(
      (row) => row.address === address && row.event_type === "actor.created",
    );
  const bounces = async () =>
    (await world.journal())
      .filter(({ address, event }) => address === "a" && event["note"] === refused.note)
      .map(({ event }) => event["reason"]);

  describe(`${name}: an event whose receiver is made for it`, () => {
    it("is its receiver's first, in one transaction with the birth", async () => {
      const commits: string[] = [];
      world = await world.closeAndStart({ faultPoint: (label) => commits.push(label) });
      commits.length = 0;
      await world.make("a", sent({ to: "new", event: note("hi"), create: puppet() }));
      expect(commits[0]).toBe("before puppet:puppet.do,puppet:actor.created,puppet:puppet.note");
      expect(await world.seen("new")).toEqual(["hi"]);
      expect(await world.engine.get("new")).toMatchObject({ parent: null, status: "active" });
    });

    it("makes it once, though several of one step ask for it, and keeps their order", async () => {
      const to = (text: string) => sent({ to: "new", event: note(text), create: puppet() });
      await world.make("a", to("1"), to("2"), to("3"));
      expect(await world.seen("new")).toEqual(["1", "2", "3"]);
      expect(await births("new")).toHaveLength(1);
    });

    it("goes before what the birth itself sends, and behind what its lookups answer", async () => {
      const talkative = puppet({
        first: [sent({ to: "self", event: note("own") }), ask("countNotes", { owner: "x" })],
      });
      await world.make("a", sent({ to: "new", event: note("hi"), create: talkative }));
      expect(await world.seen("new")).toEqual(["0 notes", "hi", "own"]);
    });

    it("makes a new one where the former has ended, and none where one lives or was set aside", async () => {
      const to = (text: string) =>
        world.make("a", sent({ to: "b", event: note(text), create: puppet() }));
      await world.puppet("b");
      await to("to the first");
      expect(await world.seen("b")).toEqual(["to the first"]);
      await world.tell("b", "puppet.end");
      await to("to the second");
      expect(await world.seen("b")).toEqual(["to the second"]);
      await world.tell("b", "puppet.throw");
      await to("to nobody");
      expect(await world.engine.get("b")).toMatchObject({ status: "quarantined" });
      expect(await births("b")).toHaveLength(2);
    });

    it("is the sender's child where it is made below its address, and ends with it", async () => {
      await world.make("a", sent({ to: "a/b/c", event: note("hi"), create: puppet() }));
      expect(await world.engine.actors({ prefix: "a/" })).toMatchObject([
        { address: "a/b/c", parent: "a", supervisor: "a" },
      ]);
      await world.tell("a", "puppet.end");
      expect(await world.engine.get("a/b/c")).toMatchObject({ status: "done" });
    });

    it("has the supervisor that the sender names, who hears of a birth that fails", async () => {
      const create = (machine: string) => ({ machine, input: {}, supervisor: "a" });
      await world.make("a", sent({ to: "x", event: note("x"), create: create("puppet") }));
      await world.tell("x", "puppet.throw");
      await world.make(
        "a",
        sent({ to: "y", event: note("y"), create: create("nothing"), refused }),
      );
      expect(await world.seen("a")).toEqual(["puppet.do", "x", "puppet.do", "y", "it was refused"]);
    });

    it.each([
      ["no such machine", { machine: "nothing", input: {} }],
      ["an effect of its first step", puppet({ first: [ask("fail", {})] })],
    ])("comes back when the birth fails: %s", async (_why, create) => {
      await world.make("a", sent({ to: "new", event: note("hi"), create, refused }));
      expect(await world.engine.get("new")).toBeUndefined();
      expect(await bounces()).toHaveLength(1);
      expect(await world.engine.get("a")).toMatchObject({ status: "active" });
    });

    it("may be a lookup's answer", async () => {
      const found: Lookup = () => [
        { to: "new", event: note("1"), create: puppet(), trace: "t of 1" },
        { to: "new", event: note("2"), create: puppet(), trace: "t of 2" },
        { to: "b", event: note("3"), refused },
      ];
      world = await world.closeAndStart({ lookups: { found } });
      await world.make("a", ask("found", {}));
      expect(await world.seen("new")).toEqual(["1", "2"]);
      expect(await bounces()).toEqual(["actor.not_found: nobody lives at this address"]);
      const traces = (await world.journal())
        .filter(({ address }) => address === "new")
        .map(({ trace }) => trace);
      expect(traces).toEqual(["t of 1", "t of 1", "t of 2"]);
    });
  });

  describe(`${name}: an event whose refusal is wanted`, () => {
    it.each([
      ["nobody lives there", "nobody", "actor.not_found: nobody lives at this address"],
      ["it does not accept it", "sleeper", "It sleeps."],
      ["it has ended", "ended", "actor.ended: it is done"],
      ["it was set aside", "aside", "actor.quarantined: the actor was set aside"],
    ])("comes back with the reason when %s", async (_why, to, reason) => {
      for (const [address, type] of [
        ["sleeper", "puppet.sleep"],
        ["ended", "puppet.end"],
        ["aside", "puppet.throw"],
      ] as const) {
        await world.puppet(address);
        await world.tell(address, type);
      }
      await world.make("a", sent({ to, event: note("x"), refused }));
      expect(await bounces()).toEqual([reason]);
    });

    it("comes back when a transition takes it and says no, and when the step fails", async () => {
      await world.puppet("b");
      const no: EffectAction = {
        type: "refuse",
        params: { code: "permission.denied", message: "not for you" },
      };
      await world.make("a", sent({ to: "b", event: doing(no), refused }));
      await world.make("a", sent({ to: "b", event: { type: "puppet.throw" }, refused }));
      expect(await bounces()).toEqual([
        "permission.denied: not for you",
        expect.stringContaining("Unable to evaluate guard 'throws'"),
      ]);
    });

    it("comes back to another than the sender, where that is asked for", async () => {
      await world.puppet("b");
      await world.make(
        "b",
        sent({ to: "nobody", event: note("x"), refused, refusedTo: "a" }),
        sent({ to: "self", event: { type: "puppet.end" } }),
      );
      expect(await bounces()).toEqual(["actor.not_found: nobody lives at this address"]);
    });

    it("does not come back when it is taken, nor when nobody asked", async () => {
      await world.puppet("b");
      await world.make("a", sent({ to: "b", event: note("x"), refused }));
      await world.make("a", sent({ to: "nobody", event: note("x") }));
      expect(await bounces()).toEqual([]);
    });

    it("is not asked for again: what comes back to nobody is dropped", async () => {
      await world.make("a", sent({ to: "nobody", event: note("x"), refused }), {
        type: "send",
        params: { to: "self", event: { type: "puppet.end" } },
      });
      expect(await world.engine.get("a")).toMatchObject({ status: "done" });
      const letters = await world.engine.read.select(deadLetterTable, { index: "key" });
      expect(letters.map(({ address }) => address)).toEqual(["nobody"]);
    });

    it("survives, as does the birth that goes with an event, a cut of the cascade and a death there", async () => {
      let deaths = 0;
      world = await world.closeAndStart({
        limits: { cascadeSteps: 1 },
        faultPoint: (label) => {
          if (label !== "after puppet:puppet.do" || deaths > 0) return;
          deaths += 1;
          throw new EngineCrash(label);
        },
      });
      const made = sent({
        to: "new",
        event: note("hi"),
        create: { ...puppet(), supervisor: "a" },
        trace: "of the message",
      });
      await expect(
        world.make("a", sent({ to: "nobody", event: note("x"), refused }), made),
      ).rejects.toMatchObject({ code: "engine.closed" });
      world = await world.dieAndStart();
      expect(world.report).toMatchObject({ pendingMail: 2 });
      await world.quiet();
      expect(await bounces()).toEqual(["actor.not_found: nobody lives at this address"]);
      expect(await world.seen("new")).toEqual(["hi"]);
      const [birth] = await births("new");
      expect(birth).toMatchObject({ trace: "of the message" });
      expect(await world.engine.actors({ prefix: "new" })).toMatchObject([{ supervisor: "a" }]);
      expect(await world.engine.read.select(mailTable, { index: "key" })).toEqual([]);
    });
  });

  describe(`${name}: an actor that speaks for people outside`, () => {
    it("does so to others, and to its own kin in its own name", async () => {
      world = await world.closeAndStart({
        entries: [{ ...puppetEntry, speaksAs: "channel" }],
        lookups: { found: () => [{ to: "other", event: note("answered") }] },
      });
      await world.puppet("other");
      await world.make("a", { type: "spawnActor", params: { id: "child", ...puppet() } });
      await world.make(
        "a",
        sent({ to: "other", event: note("sent") }),
        sent({ to: "self", event: note("to itself") }),
        sent({ to: "./child", event: doing(sent({ to: "parent", event: note("from below") })) }),
        sent({ to: "apart", event: note("made"), create: puppet() }),
        sent({ to: "a/low/er", event: note("made below"), create: puppet() }),
        sent({ to: "a/low/er", event: doing(sent({ to: "a", event: note("from far below") })) }),
        ask("found", {}),
      );
      const heard = Object.fromEntries(
        (await world.journal()).map(({ event, origin }) => [event["note"], origin]),
      );
      expect(heard).toMatchObject({
        "sent": "channel",
        "made": "channel",
        "answered": "channel",
        "to itself": "actor",
        "from below": "actor",
        "made below": "actor",
        "from far below": "actor",
      });
    });

    it("hears of a refusal from the engine, not from outside", async () => {
      world = await world.closeAndStart({ entries: [{ ...puppetEntry, speaksAs: "channel" }] });
      await world.make("a", sent({ to: "nobody", event: note("x"), refused }));
      expect((await world.journal()).at(-1)).toMatchObject({ origin: "actor", address: "a" });
    });
  });
}
