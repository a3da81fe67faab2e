import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryStore } from "../../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createTestHive } from "../../support/hive.ts";
import { decide, runs } from "../hive-watch.ts";
import {
  day,
  definitionOf,
  hour,
  makeSchedule,
  minute,
  pass,
  report,
  scheduleNow,
  statesPassed,
  tellSchedule,
} from "./schedule-support.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const at = (iso: string) => Date.parse(iso);

describe("a schedule", () => {
  it("tells its agent the task when it is due, and waits for the next time once that run has ended", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    await makeSchedule(hive, definitionOf("30 3 * * *"));
    expect(await scheduleNow(hive)).toMatchObject({
      state: "waiting",
      next_at: at("2026-11-23T03:30:00Z"),
    });
    await pass(hive, 15.5 * hour - 1);
    expect(await runs(hive)).toEqual([]);
    await pass(hive, 1);
    expect(await runs(hive)).toMatchObject([
      { state: "done", trace_id: expect.stringMatching(/^schedule:report:\d+$/) },
    ]);
    expect(await scheduleNow(hive)).toMatchObject({
      state: "waiting",
      runs: 1,
      failures: 0,
      last_outcome: "done",
      last_run_at: at("2026-11-23T03:30:00Z"),
      next_at: at("2026-11-24T03:30:00Z"),
      present: null,
    });
    expect(await statesPassed(hive)).toEqual(["waiting", "due", "running", "waiting"]);
  });

  it("does once what came three times while the service was down, two minutes after the start", async () => {
    const clock = createSimulatedClock(noon);
    const store = createMemoryStore({ tables: allTables, strict: true });
    const before = await createTestHive({ clock, store });
    await makeSchedule(before, definitionOf("30 3 * * *"));
    await before.engine.close();
    clock.advance(3 * day);
    const hive = await createTestHive({ clock, store: store.crash() });
    await hive.engine.settled();
    expect(await scheduleNow(hive)).toMatchObject({
      state: "catching_up",
      missed_at: at("2026-11-23T03:30:00Z"),
    });
    await pass(hive, 2 * minute - 1);
    expect(await runs(hive)).toEqual([]);
    await pass(hive, 1);
    expect(await runs(hive)).toHaveLength(1);
    expect(await scheduleNow(hive)).toMatchObject({
      state: "waiting",
      runs: 1,
      next_at: at("2026-11-26T03:30:00Z"),
    });
    await pass(hive, 15 * hour);
    expect(await runs(hive)).toHaveLength(1);
    expect(await statesPassed(hive)).toEqual([
      "waiting",
      "catching_up",
      "due",
      "running",
      "waiting",
    ]);
  });

  it("skips a time that comes while its earlier work still waits for a person, and says how many", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    const text = 'call file_write {"path":"a.txt","content":"hi"}';
    await makeSchedule(hive, definitionOf("0 * * * *", { text }));
    await pass(hive, hour);
    expect(await scheduleNow(hive)).toMatchObject({ state: "running", skipped: 0 });
    await pass(hive, 2 * hour);
    expect(await runs(hive)).toHaveLength(1);
    expect(await scheduleNow(hive)).toMatchObject({
      state: "running",
      skipped: 2,
      next_at: noon + 4 * hour,
    });
    await decide(hive);
    await hive.engine.settled();
    expect(await scheduleNow(hive)).toMatchObject({ state: "waiting", last_outcome: "done" });
    await pass(hive, hour);
    expect(await scheduleNow(hive)).toMatchObject({ state: "running", runs: 2, skipped: 2 });
  });

  it("counts failures in a row and goes on at its times, never in between", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    await makeSchedule(hive, definitionOf("0 * * * *", { agent_id: "gone" }));
    await pass(hive, 2 * hour);
    expect(await scheduleNow(hive)).toMatchObject({
      state: "waiting",
      runs: 2,
      failures: 2,
      last_outcome: "failed",
    });
    expect(await runs(hive)).toHaveLength(2);
  });

  it("stays paused over a restart, and is planned from now when a person resumes it", async () => {
    const clock = createSimulatedClock(noon);
    const store = createMemoryStore({ tables: allTables, strict: true });
    const before = await createTestHive({ clock, store });
    await makeSchedule(before, definitionOf("0 * * * *"));
    expect(await tellSchedule(before, "schedule.pause")).toBe("handled");
    await before.engine.close();
    clock.advance(5 * hour);
    const hive = await createTestHive({ clock, store: store.crash() });
    await pass(hive, hour);
    expect(await scheduleNow(hive)).toMatchObject({ state: "paused", runs: 0 });
    expect(await tellSchedule(hive, "schedule.resume")).toBe("handled");
    expect(await scheduleNow(hive)).toMatchObject({ state: "waiting", next_at: noon + 7 * hour });
    await pass(hive, hour);
    expect(await scheduleNow(hive)).toMatchObject({ runs: 1 });
  });

  it("runs at a person's word, also while it is paused, but not beside itself", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    const text = 'call file_write {"path":"a.txt","content":"hi"}';
    await makeSchedule(hive, definitionOf("0 0 1 1 *", { text }));
    await tellSchedule(hive, "schedule.pause");
    expect(await tellSchedule(hive, "schedule.run")).toBe("handled");
    expect(await tellSchedule(hive, "schedule.run")).toBe("It runs already.");
    await decide(hive, { decision: "deny" });
    await hive.engine.settled();
    expect(await scheduleNow(hive)).toMatchObject({ state: "paused", runs: 1 });
  });

  it("lets its work end before it goes, and hears of work that nobody told it of", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    const text = 'call file_write {"path":"a.txt","content":"hi"}';
    await makeSchedule(hive, definitionOf("0 * * * *", { text }));
    await pass(hive, hour);
    await tellSchedule(hive, "schedule.remove");
    expect(await scheduleNow(hive)).toMatchObject({ state: "running" });
    await decide(hive);
    await hive.engine.settled();
    expect(await scheduleNow(hive)).toMatchObject({ state: "removed" });
    expect(await runs(hive)).toMatchObject([{ state: "done" }]);
  });

  it("is not done twice when the clock is set back", async () => {
    const store = createMemoryStore({ tables: allTables, strict: true });
    const before = await createTestHive({ clock: createSimulatedClock(noon), store });
    await makeSchedule(before, definitionOf("30 12 * * *"));
    await pass(before, 40 * minute);
    expect(await runs(before)).toHaveLength(1);
    await before.engine.close();
    const set = createSimulatedClock(noon + 10 * minute);
    const hive = await createTestHive({ clock: set, store: store.crash() });
    const definition = definitionOf("30 12 * * 0-6");
    await hive.engine.send(report, { type: "schedule.configure", definition }, { origin: "api" });
    await hive.engine.settled();
    expect(await scheduleNow(hive)).toMatchObject({ next_at: at("2026-11-23T12:30:00Z") });
    await pass(hive, 30 * minute);
    expect(await runs(hive)).toHaveLength(1);
  });

  it("is planned anew when its file says another time, and plans nothing where no time ever comes", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    await makeSchedule(hive, definitionOf("30 3 * * *"));
    const configure = (cron: string) =>
      hive.engine.send(
        report,
        { type: "schedule.configure", definition: definitionOf(cron) },
        { origin: "api" },
      );
    await configure("0 14 * * *");
    expect(await scheduleNow(hive)).toMatchObject({ next_at: noon + 2 * hour });
    await pass(hive, 2 * hour);
    expect(await runs(hive)).toHaveLength(1);
    await configure("0 0 30 2 *");
    expect(await scheduleNow(hive)).toMatchObject({ state: "waiting", next_at: null });
    await pass(hive, 2 * day);
    expect(await runs(hive)).toHaveLength(1);
  });

  it("comes once on the days on which the clocks are changed", async () => {
    const berlin = definitionOf("30 2 * * *", {}, "Europe/Berlin");
    const times = async (from: string) => {
      const hive = await createTestHive({ clock: createSimulatedClock(at(from)) });
      await makeSchedule(hive, berlin);
      const begun: (string | null)[] = [];
      for (let n = 0; n < 3; n++) {
        const { next_at } = await scheduleNow(hive);
        await pass(hive, (next_at ?? 0) - hive.clock.now());
        begun.push(isoOf((await scheduleNow(hive)).last_run_at));
      }
      return begun;
    };
    expect(await times("2026-03-28T00:00:00Z")).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
    expect(await times("2026-10-24T12:00:00Z")).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
      "2026-10-27T01:30:00.000Z",
    ]);
  });

  it("has nothing to do where no memory has anything to tidy", async () => {
    const hive = await createTestHive({ clock: createSimulatedClock(noon) });
    const work = { kind: "command", command: "RunScheduledConsolidation" } as const;
    await makeSchedule(hive, { ...definitionOf("0 * * * *"), work });
    await pass(hive, hour);
    expect(await scheduleNow(hive)).toMatchObject({
      state: "waiting",
      last_outcome: "nothing_to_do",
      next_at: noon + 2 * hour,
    });
  });
});

const isoOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());
