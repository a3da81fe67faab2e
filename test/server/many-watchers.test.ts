import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { actorHandlers } from "../../src/app/api/actors.ts";
import { auditPokes } from "../../src/app/api/poke-audit.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { createNewsBus } from "../../src/app/news/news.ts";
import { journalTable } from "../../src/engine/tables.ts";
import type { ActorStep } from "../../src/schema/shown/actor-view.ts";
import { createTestHive, place } from "../support/hive.ts";
import { serveApi, subscriber, type Told } from "../support/served-api.ts";
import { wrapStore } from "../support/wrapped-store.ts";

/** Many who watch one service over real sockets, among them one that never reads. */

const rounds = 60;
const stepsOfARound = 40;
const readers = 19;
/** A long name, so that little fills what the system buffers. */
const talking = place.replace("tester", "t".repeat(300));

async function watchedHive() {
  const inner = createMemoryStore({ tables: allTables });
  const work = { commits: 0, reads: 0 };
  const store = wrapStore(inner, {
    commit: () => {
      work.commits += 1;
      return inner.commit();
    },
    committed: {
      get: (table, ...key) => {
        work.reads += 1;
        return inner.committed.get(table, ...key);
      },
      select: (table, query) => {
        work.reads += 1;
        return inner.committed.select(table, query);
      },
      count: (table, query) => {
        work.reads += 1;
        return inner.committed.count(table, query);
      },
    },
  });
  const hive = await createTestHive({ store });
  const { engine, clock } = hive;
  const bus = createNewsBus(engine);
  const served = await serveApi(
    actorHandlers({
      engine,
      bus,
      clock,
      pokes: auditPokes({ engine, clock, redact: (value) => value }),
    }),
  );
  const talk = async () => {
    const before = { ...work };
    await hive.say("hello", talking);
    await engine.settled();
    for (let round = 0; round < rounds; round += 1) {
      for (let at = 0; at < stepsOfARound; at += 1) {
        await engine.send(`session/${talking}`, { type: "run.cancel" }, { origin: "cli" });
      }
      clock.advance(50);
      await setImmediate();
    }
    return { commits: work.commits - before.commits, reads: work.reads - before.reads };
  };
  return { ...served, hive, bus, talk };
}

const stepsIn = (told: readonly Told[]) =>
  told.flatMap(({ params }) => (params?.["steps"] ?? []) as readonly ActorStep[]);
const droppedIn = (told: readonly Told[]) =>
  told.reduce((sum, { params }) => sum + ((params?.["dropped"] as number | undefined) ?? 0), 0);

it("tells all to each that reads; the one that does not costs a bounded queue, and the engine nothing", async () => {
  const unwatched = await (await watchedHive()).talk();
  const { path, sockets, hive, bus, talk } = await watchedHive();
  const stuck = await subscriber(path, "actors.subscribe", { recent: 2_000 });
  stuck.socket.pause();
  const others = [];
  for (let at = 0; at < readers; at += 1) {
    others.push(await subscriber(path, "actors.subscribe", {}));
  }
  expect(await talk()).toEqual(unwatched);

  const journal = await hive.engine.read.select(journalTable, { index: "key" });
  const all = journal.map(({ seq }) => seq);
  for (const { told } of others) {
    await vi.waitFor(() => {
      hive.clock.advance(50);
      expect(stepsIn(told)).toHaveLength(all.length);
    });
    expect(stepsIn(told).map(({ seq }) => seq)).toEqual(all);
    expect(droppedIn(told)).toBe(0);
  }

  expect(sockets[0]?.writableNeedDrain).toBe(true);
  expect(sockets[0]?.writableLength).toBeLessThan(1_048_576);
  const [listening] = bus.counters().listeners;
  expect(listening).toMatchObject({ name: "actors", listening: readers + 1, queued: 0 });
  expect(listening).toMatchObject({ dropped: 0, failed: 0 });

  stuck.socket.resume();
  await vi.waitFor(() => {
    hive.clock.advance(50);
    expect(stepsIn(stuck.told).length + droppedIn(stuck.told)).toBe(all.length);
  });
  expect(droppedIn(stuck.told)).toBeGreaterThan(1_000);
  const rows = stuck.told.at(-1)?.params?.["rows"] as readonly { readonly kind: string }[];
  expect(rows.map(({ kind }) => kind)).toEqual(["session"]);
});
