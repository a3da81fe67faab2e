import { expect, it } from "vitest";
import { createSimulatedClock } from "../../src/adapters/clock/simulated-clock.ts";
import { scheduleReads, scheduleHandlers } from "../../src/app/api/schedules.ts";
import { listSchedules, summarizeSchedules } from "../../src/app/records/shown-schedule.ts";
import { renewSchedules } from "../../src/app/schedules/renew-schedules.ts";
import { scheduleAddress } from "../../src/actors/schedule/address.ts";
import { sessionKey } from "../../src/actors/session-key.ts";
import type { ScheduleConfig } from "../../src/schema/config/config.ts";
import { definitionOf } from "../actors/schedule/schedule-support.ts";
import { answer, decide } from "../actors/hive-watch.ts";
import { createTestHive, type TestHive } from "../support/hive.ts";

const write = 'call file_write {"path":"a.txt","content":"hi"}';
const report = { id: "report", timezone: "UTC", agent: "main", task: write };
const daily: ScheduleConfig = { ...report, cron: "30 3 * * *" };

async function hiveWith(...schedules: ScheduleConfig[]) {
  const hive = await createTestHive({ clock: createSimulatedClock(Date.UTC(2026, 10, 22, 12)) });
  await hive.engine.create("system", {
    machine: "system",
    input: { children: [], max_restarts: 3, within_ms: 10_000, backoff_ms: 200 },
  });
  await hive.engine.send("system", { type: "system.start" }, { origin: "api" });
  let config: readonly ScheduleConfig[] = [];
  const source = { config: () => ({ schedules: config }) };
  const configure = async (...now: ScheduleConfig[]) => {
    config = now;
    await renewSchedules(hive.engine, { schedules: now });
    await hive.engine.settled();
  };
  await configure(...schedules);
  const api = {
    ...scheduleReads(hive.engine.read, source),
    ...scheduleHandlers(hive.engine, source),
  };
  return { hive, source, configure, api };
}

const shownIn = async (hive: TestHive, source: Parameters<typeof listSchedules>[1]) =>
  (await listSchedules(hive.engine.read, source)).map(({ id, state, cron, next_at }) =>
    [id, state, cron, next_at].join(" "),
  );

const caller = { name: "cli", origin: "cli" } as Parameters<
  ReturnType<typeof scheduleHandlers>["schedules.run"]
>[1];

it("follows its file: begun with it, planned anew when its time changes, gone when it is taken out", async () => {
  const { hive, source, configure } = await hiveWith(daily);
  const begun = "report waiting 30 3 * * * 2026-11-23T03:30:00.000Z";
  expect(await shownIn(hive, source)).toEqual([begun]);
  const { seq } = (await hive.engine.get(scheduleAddress("report"))) ?? {};
  await configure(daily);
  expect((await hive.engine.get(scheduleAddress("report")))?.seq).toBe(seq);
  await configure({ ...daily, cron: "0 18 * * *" });
  expect(await shownIn(hive, source)).toEqual([
    "report waiting 0 18 * * * 2026-11-22T18:00:00.000Z",
  ]);
  await configure();
  expect(await shownIn(hive, source)).toEqual([]);
  await configure(daily);
  expect(await shownIn(hive, source)).toEqual([begun]);
});

it("lets what works end before it goes, and stays if its file has it again by then", async () => {
  const { hive, source, configure, api } = await hiveWith(daily);
  await api["schedules.run"]({ id: "report" }, caller);
  await configure();
  await configure(daily);
  await hive.engine.settled();
  await decide(hive);
  await hive.engine.settled();
  expect(await shownIn(hive, source)).toEqual([
    "report waiting 30 3 * * * 2026-11-23T03:30:00.000Z",
  ]);
});

it("is run, paused and resumed by its owner, and not beside itself", async () => {
  const { hive, api } = await hiveWith(daily);
  expect(await api["schedules.run"]({ id: "report" }, caller)).toMatchObject({ state: "running" });
  await hive.engine.settled();
  await expect(api["schedules.run"]({ id: "report" }, caller)).rejects.toMatchObject({
    code: "event.not_accepted",
    message: "schedule.run was not accepted: It runs already.",
  });
  const last = { state: "running", afterwards: "paused", next_at: null };
  expect(await api["schedules.pause"]({ id: "report" }, caller)).toMatchObject(last);
  const again = { afterwards: "waiting", next_at: "2026-11-23T03:30:00.000Z" };
  expect(await api["schedules.resume"]({ id: "report" }, caller)).toMatchObject(again);
  await decide(hive);
  await hive.engine.settled();
  expect(await api["schedules.pause"]({ id: "report" }, caller)).toMatchObject({
    state: "paused",
    next_at: null,
    last_outcome: "done",
  });
  expect(await api["schedules.resume"]({ id: "report" }, caller)).toMatchObject({
    state: "waiting",
    next_at: "2026-11-23T03:30:00.000Z",
  });
});

it("says which questions its run waits for, and none once they are answered", async () => {
  const twice = `${write}\ncall ask_user {"question":"Which colour?"}`;
  const { hive, api } = await hiveWith({ ...daily, task: twice });
  const waiting = async () => {
    await hive.engine.settled();
    const [shown] = await api["schedules.list"]({}, caller);
    return [shown?.state, ...(shown?.waiting_for ?? []).map(({ summary }) => summary)];
  };
  expect(await waiting()).toEqual(["waiting"]);
  await api["schedules.run"]({ id: "report" }, caller);
  expect(await waiting()).toEqual(["running", "Write 2 bytes to a.txt", "Which colour?"]);
  await decide(hive);
  expect(await waiting()).toEqual(["running", "Which colour?"]);
  await answer(hive, "blue");
  expect(await waiting()).toEqual(["waiting"]);
});

it("says which there are where one is not, and that its file has one before it removes it", async () => {
  const { hive, api } = await hiveWith(daily);
  await expect(api["schedules.show"]({ id: "rapport" }, caller)).rejects.toMatchObject({
    code: "schedule.not_found",
    message: "No schedule is called rapport; there are: report.",
  });
  await expect(api["schedules.remove"]({ id: "report" }, caller)).rejects.toMatchObject({
    code: "schedule.configured",
  });
  const input = { schedule_id: "main.1", source: "agent", definition: definitionOf("0 0 * * *") };
  await hive.engine.create(scheduleAddress("main.1"), { machine: "schedule", input });
  expect(await api["schedules.remove"]({ id: "main.1" }, caller)).toEqual({
    id: "main.1",
    state: "removed",
  });
});

it("is told in short: how many, what is due next, and those that failed", async () => {
  const { hive, source } = await hiveWith(daily);
  const gone = sessionKey({
    channel_type: "telegram",
    connector_id: "tg_gone",
    conversation_scope: "1001",
    user_scope: "1001",
    agent_id: "main",
  });
  const definition = definitionOf("0 4 * * *", { session_key: gone });
  const input = { schedule_id: "main.1", source: "agent", definition };
  await hive.engine.create(scheduleAddress("main.1"), { machine: "schedule", input });
  expect(await summarizeSchedules(hive.engine.read, source)).toEqual({
    count: 2,
    next: { id: "report", at: "2026-11-23T03:30:00.000Z" },
    in_need: [],
  });
  await hive.engine.send(scheduleAddress("main.1"), { type: "schedule.run" }, { origin: "cli" });
  await hive.engine.settled();
  expect((await summarizeSchedules(hive.engine.read, source)).in_need).toEqual([
    {
      id: "main.1",
      state: "waiting",
      failures: 1,
      detail: "the connector tg_gone is configured no more",
    },
  ]);
});
