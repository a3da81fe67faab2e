import { expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { storedContext } from "../../../src/engine/kernel/actor-state.ts";
import type { ScheduleContext } from "../../../src/schema/contexts/schedule-context.ts";
import { createTestHive, place, type TestHive } from "../../support/hive.ts";
import { decide, pendingApproval, results, runs } from "../hive-watch.ts";

const noon = Date.UTC(2026, 10, 22, 12);
const boundary = ["schedule.create:*", "fs.read:**"];
const asking = (cron: string, task = "hello") =>
  `call schedule_create ${JSON.stringify({ cron, task })}`;

const hiveThat = (grant: readonly string[]) =>
  createTestHive({ clock: createSimulatedClock(noon), policy: { boundary, grant: [...grant] } });

const schedulesIn = async ({ engine }: TestHive) =>
  (await engine.actors({ status: "active", prefix: "schedule/" })).map(
    ({ snapshot }) => storedContext(snapshot) as unknown as ScheduleContext,
  );

it("asks before it makes one, and then does it in the same conversation, within what its task might do", async () => {
  const hive = await hiveThat([]);
  await hive.say(asking("0 * * * *"));
  await hive.engine.settled();
  expect(await pendingApproval(hive)).toMatchObject({
    summary: "At 0 * * * *, again and again: hello",
    requested: ["schedule.create:own"],
  });
  expect(await schedulesIn(hive)).toEqual([]);
  await decide(hive);
  await hive.engine.settled();
  const [made] = await schedulesIn(hive);
  expect(made).toMatchObject({
    schedule_id: expect.stringMatching(/^main\.[0-9a-f]{8}$/),
    source: "agent",
    definition: { work: { session_key: place, boundary, deliver: null } },
  });
  hive.clock.advanceTo(made?.next_at ?? 0);
  await hive.engine.settled();
  expect((await runs(hive)).map(({ address }) => address.split("/run/")[0])).toEqual([
    `session/${place}`,
    `session/${place}`,
  ]);
  expect(await schedulesIn(hive)).toMatchObject([{ runs: 1, last_outcome: "done" }]);
});

it.each([
  ["*/5 * * * *", "comes more often than every ten minutes"],
  ["0,5 3 * * *", "comes more often than every ten minutes"],
  ["0 0 30 2 *", "is never due, or is no time that can be read"],
  ["now and then", "is never due, or is no time that can be read"],
])("refuses %s: it %s", async (cron, why) => {
  const hive = await hiveThat(boundary);
  await hive.say(asking(cron));
  await hive.engine.settled();
  expect((await results(hive)).join()).toContain(`tool.failed: ${cron} ${why}.`);
  expect(await schedulesIn(hive)).toEqual([]);
});

it("refuses a task that says nothing", async () => {
  const hive = await hiveThat(boundary);
  await hive.say(asking("0 3 * * *", " \n "));
  await hive.engine.settled();
  expect((await results(hive)).join()).toContain(
    "tool.invalid_input: schedule_create: task must not be empty",
  );
  expect(await schedulesIn(hive)).toEqual([]);
});

it("makes no more than twenty in one conversation", async () => {
  const hive = await hiveThat(boundary);
  for (let n = 0; n < 21; n += 1) {
    await hive.say(asking(`${n} 3 * * *`));
    await hive.engine.settled();
  }
  expect(await schedulesIn(hive)).toHaveLength(20);
  expect((await results(hive)).at(-1)).toContain("This conversation has 20 schedules already.");
  await hive.say(asking("0 4 * * *"), `${place}2`);
  await hive.engine.settled();
  expect(await schedulesIn(hive)).toHaveLength(21);
});
