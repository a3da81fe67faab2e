import { describe, expect, it } from "vitest";
import { actorReads } from "../../src/app/api/actor-reads.ts";
import { actorHandlers } from "../../src/app/api/actors.ts";
import { auditPokes } from "../../src/app/api/poke-audit.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import { createMachineRegistry } from "../../src/engine/machine-registry.ts";
import { actorTable } from "../../src/engine/tables.ts";
import { machineEntries } from "../../src/actors/machine-entries.ts";
import { methodParams } from "../../src/schema/socket/protocol.ts";
import { createTestHive, place } from "../support/hive.ts";
import { actorRow, modelOfADay } from "./support/model-of-a-day.ts";
import { type Answers, stage } from "./support/stage.ts";

/** The interface over real actors: what they accept and refuse is theirs. */
async function overRealActors() {
  const hive = await createTestHive();
  const { engine, clock } = hive;
  const bus = createNewsBus(engine);
  const handlers = {
    ...actorReads(engine.read, createMachineRegistry(machineEntries)),
    ...actorHandlers({
      engine,
      bus,
      clock,
      pokes: auditPokes({ engine, clock, redact: (value) => value }),
    }),
  };
  const asTui = { origin: "tui", name: "tui" } as never;
  const answer = (method: "actor.get" | "actor.send") => (params: unknown) =>
    handlers[method](methodParams[method].parse(params) as never, asTui) as never;
  await hive.say('call file_write {"path":"a.txt","content":"x"}');
  await engine.settled();
  const living = await engine.read.select(actorTable, { index: "key" });
  const answers: Answers = { "actor.get": answer("actor.get"), "actor.send": answer("actor.send") };
  const model = () => {
    const made = modelOfADay();
    made.actors.replace(
      living.map(({ address, machine, parent }) => ({
        ...actorRow([address, machine, "some", "", 3]),
        parent,
      })),
    );
    return made;
  };
  const on = stage({ model, answers });
  const settled = async () => {
    for (let times = 0; times < 3; times += 1) {
      await engine.settled();
      await on.settled();
    }
  };
  const at = (machine: string) => living.find((row) => row.machine === machine)?.address ?? "";
  return {
    on,
    hive,
    at,
    settled,
    screen: () => on.rows().join("\n"),
    async choose(address: string, ...keys: string[]) {
      on.tui.go("actors", address);
      await settled();
      for (const key of keys) {
        await on.press(key);
        await settled();
      }
    },
    sent: () => on.asked.filter(({ method }) => method === "actor.send"),
  };
}

const session = `session/${place}`;

describe("an event sent by hand to a real actor", () => {
  it("ends a run with the typed reason", async () => {
    const { on, at, choose, screen, settled, sent, hive } = await overRealActors();
    await choose(at("run"), "c");
    expect(screen()).toContain("send run.cancel to run");
    await on.type("too slow");
    await on.press("enter");
    await settled();
    expect(sent()).toMatchObject([
      { params: { event: "run.cancel", payload: { reason: "too slow" } } },
    ]);
    expect(on.rows().at(-2)).toMatch(/run\.cancel was handled; the actor is cancel/);
    const row = await hive.engine.read.get(actorTable, at("run"));
    expect(row?.status).not.toBe("active");
  });

  it("is not offered where no person may send it", async () => {
    const { on, at, choose, screen, sent } = await overRealActors();
    await choose(at("approval"), "e");
    expect(screen()).toMatch(/approval\.decide\s+not by hand/);
    await on.press("enter");
    expect(sent()).toEqual([]);
  });

  it("says a wrong value in the form, where it stays typed", async () => {
    const { on, choose, screen, settled, sent } = await overRealActors();
    await choose(session, "e", "enter");
    expect(screen()).toContain("send message.received to session");
    await on.press("tab");
    await on.type("sideways");
    await on.press("enter");
    expect(screen()).toMatch(/text: /);
    expect(sent()).toEqual([]);
    await on.press("S-tab");
    await on.type("hello");
    await on.press("enter");
    await settled();
    expect(screen()).toMatch(/queue: this is not one of: /);
    expect(screen()).toContain("sideways");
    expect(sent()).toEqual([]);
    await on.press("tab", "C-u", "tab");
    await on.type("{not json");
    await on.press("enter");
    expect(screen()).toMatch(/boundary: this is no /);
    await on.press("C-u", "enter");
    await settled();
    expect(sent()).toMatchObject([
      { params: { event: "message.received", payload: { text: "hello" } } },
    ]);
    expect(on.rows().at(-2)).toContain("message.received was handled");
  });

  it("that the chart refuses by now stays in the form, with the reason", async () => {
    const { on, at, choose, screen, settled, hive } = await overRealActors();
    await choose(at("run"), "c");
    await on.type("too late");
    await hive.engine.send(at("run"), { type: "run.cancel" }, { origin: "cli" });
    await hive.engine.settled();
    await on.press("enter");
    await settled();
    expect(screen()).toContain("too late");
    expect(screen()).toMatch(/is done|has ended|does not accept/);
    await on.press("escape");
    expect(screen()).not.toContain("too late");
  });

  it("carries a pasted text of several lines as it is", async () => {
    const { on, choose, screen, settled, sent } = await overRealActors();
    await choose(session, "e", "enter");
    const text = Array.from({ length: 40 }, (_, n) => `line ${n} ${"x".repeat(2_000)}`).join("\n");
    await on.paste(text);
    expect(screen()).toContain("┘");
    await on.press("enter");
    await settled();
    expect(sent()).toMatchObject([{ params: { payload: { text } } }]);
  });
});
