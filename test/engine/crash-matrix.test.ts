import { describe, expect, it } from "vitest";
import {
  activityTable,
  deadLetterTable,
  type JournalRow,
  mailTable,
  timerTable,
} from "../../src/engine/tables.ts";
import { type EffectAction, spawn } from "../../src/machines/effect-actions.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { crashEverywhere } from "../support/crash-driver.ts";
import { type Disk, libsqlDisk, memoryDisk } from "../support/disks.ts";
import {
  newOutside,
  noteTable,
  openWorld,
  type Outside,
  type World,
  worldTables,
} from "../support/engine-world.ts";

/** Two activities in parallel, one of them `once`, a timer, children, a cancel: dropped before and after every commit. */

type Asked = { readonly to: string; readonly event: JsonObject & { readonly type: string } };

const workers: EffectAction[] = ["w1", "w2"].map((id) => spawn(id, "worker", { reports: true }));

const asked = {
  spawn: { to: "boss", event: { type: "puppet.do", effects: workers } },
  once: { to: "boss/w1", event: { type: "worker.start", job: "once 1" } },
  repeat: { to: "boss/w2", event: { type: "worker.start", job: "repeat 1" } },
  wait: { to: "boss", event: { type: "puppet.wait" } },
  keyed: { to: "boss/w2", event: { type: "worker.start", job: "keyed 1" } },
  stop: { to: "boss/w2", event: { type: "worker.stop" } },
  end: { to: "boss", event: { type: "puppet.cancel" } },
} as const satisfies { readonly [name: string]: Asked };

function stage() {
  const outside = newOutside();
  return async (disk: Disk, faultPoint: (label: string) => void) => {
    outside.workshop.die();
    const world = await openWorld(disk, { faultPoint, limits: { cascadeSteps: 3 } }, outside);
    await playScenes(world);
    await world.engine.close();
    return whatHappened(disk, outside);
  };
}

/** Every scene can be played again: the service answers what it did before. */
async function playScenes(world: World): Promise<void> {
  const ask = (name: keyof typeof asked) =>
    world.engine.send(asked[name].to, asked[name].event, {
      origin: "cli",
      idempotencyKey: name,
      create: { machine: "puppet", input: {} },
    });
  await ask("spawn");
  await world.quiet();
  await ask("once");
  await ask("repeat");
  await ask("wait");
  await world.advance(1000);
  await finish(world, "once 1", "repeat 1");
  await ask("keyed");
  await ask("stop");
  for (const job of world.workshop.open) job.fail(new AgentError("activity.aborted", "stopped"));
  await world.quiet();
  await ask("end");
  await world.quiet();
}

async function finish(world: World, ...jobs: readonly string[]): Promise<void> {
  const open = world.workshop.open.filter(({ input }) => jobs.includes(input.job));
  for (const job of open) {
    job.finish(job.input.job);
    await world.quiet();
  }
}

async function whatHappened(disk: Disk, outside: Outside) {
  await disk.crash();
  const { engine, journal, context } = await openWorld(disk, {}, outside);
  const { read } = engine;
  const rows = await journal();
  const left = await Promise.all(
    [activityTable, timerTable, mailTable, deadLetterTable].map(
      async (table) => (await read.select(table as typeof mailTable, { index: "key" })).length,
    ),
  );
  const actors = await engine.actors({});
  const { results } = await context("boss/w1");
  await engine.close();
  return {
    asked: Object.values(asked).map((request) => handledOnce(rows, request)),
    chain: brokenChains(rows),
    left,
    states: actors.map(({ address, state }) => `${address} ${state}`),
    onceBegun: outside.workshop.begun.filter(({ input }) => input.job === "once 1").length,
    onceUnknown: results[0] === "activity.outcome_unknown",
  };
}

const handledOnce = (rows: readonly JournalRow[], { to, event }: Asked) =>
  rows.filter(
    (row) =>
      row.address === to &&
      row.origin === "cli" &&
      row.outcome === "handled" &&
      JSON.stringify(row.event) === JSON.stringify(event),
  ).length;

/** Every row goes on where the actor's row before it ended: none is missing, none is there twice. */
function brokenChains(rows: readonly JournalRow[]): string[] {
  const last = new Map<string, string | null>();
  return rows.flatMap(({ address, seq, state_before, state_after }) => {
    const before = last.get(address) ?? null;
    last.set(address, state_after);
    return before === state_before ? [] : [`${seq}: ${address} was ${before}, not ${state_before}`];
  });
}

describe.each([
  ["memory", memoryDisk],
  ["libsql", libsqlDisk],
] as const)("the engine over %s, dropped at every commit", (_name, makeDisk) => {
  it("loses nothing, does nothing twice, and does what may be done once at most once", async () => {
    const plays = await crashEverywhere({ makeDisk: () => makeDisk(worldTables), stage });
    expect(plays.length).toBeGreaterThan(30);
    for (const { crashedAt, deaths, result } of plays) {
      const { onceBegun, onceUnknown, ...rest } = result;
      expect({ crashedAt, deaths, ...rest }).toEqual({
        crashedAt,
        deaths: 1,
        asked: Object.values(asked).map(() => 1),
        chain: [],
        left: [0, 0, 0, 0],
        states: ["boss ended", "boss/w1 ended", "boss/w2 ended"],
      });
      expect([crashedAt, onceBegun <= 1, onceBegun === 1 || onceUnknown]).toEqual([
        crashedAt,
        true,
        true,
      ]);
    }
    expect(plays.some(({ result }) => result.onceUnknown)).toBe(true);
  });

  it("gives up an actor that was set aside once: its end and what is told of it stand together, or not at all", async () => {
    const plays = await crashEverywhere({
      makeDisk: () => makeDisk(worldTables),
      stage: () => retireOnce,
    });
    expect(plays.map(({ crashedAt }) => crashedAt.replace(/^\d+: /, ""))).toEqual(
      expect.arrayContaining(["before puppet:actor.retired", "after puppet:actor.retired"]),
    );
    for (const { crashedAt, deaths, result } of plays)
      expect({ crashedAt, deaths, ...result }).toEqual({
        crashedAt,
        deaths: 1,
        status: "stopped",
        told: ["gone"],
        retired: 1,
        again: "handled",
      });
  });
});

async function retireOnce(disk: Disk, faultPoint: (label: string) => void) {
  const world = await openWorld(disk, { faultPoint });
  const { engine } = world;
  const statusOf = async () => (await engine.get("a"))?.status;
  if ((await statusOf()) === undefined) await world.puppet("a");
  if ((await statusOf()) === "active") await world.tell("a", "puppet.throw");
  const row = { id: "1", owner: "b", text: "gone" };
  if ((await statusOf()) === "quarantined")
    await engine.retire("a", [{ table: noteTable.name, op: "put", row }]);
  await engine.close();
  await disk.crash();

  const after = await openWorld(disk);
  const { read } = after.engine;
  const status = (await after.engine.get("a"))?.status;
  const notes = await read.select(noteTable, { index: "key" });
  const retired = (await after.journal()).filter(
    ({ event_type }) => event_type === "actor.retired",
  ).length;
  await after.puppet("a");
  const { outcome } = await after.tell("a", "puppet.sleep");
  await after.engine.close();
  return { status, told: notes.map(({ text }) => text), retired, again: outcome };
}
