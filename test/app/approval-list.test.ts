import { expect, it } from "vitest";
import { approvalReads } from "../../src/app/api/approvals.ts";
import type { Caller } from "../../src/app/api/caller.ts";
import { decide } from "../actors/hive-watch.ts";
import { createTestHive } from "../support/hive.ts";

it("lists what waits in one session or under one trace, and what was answered there", async () => {
  const hive = await createTestHive();
  const list = approvalReads(hive.engine.read)["approvals.list"];
  const ids = async (filter: { trace?: string; session?: string }, all = false) =>
    (await list({ all, limit: 100, ...filter }, {} as Caller)).map(({ id }) => id);
  const ask = 'call file_write {"path":"a.txt","content":"hi"}';
  await hive.say(ask);
  await hive.engine.settled();
  const [first] = await list({ all: false, limit: 1 }, {} as Caller);
  if (first === undefined) throw new Error("nothing waits");
  await decide(hive, { decision: "deny" });
  await hive.engine.settled();
  hive.clock.advance(1000);
  await hive.say(ask);
  await hive.say(ask, "local:local:other:tester:main");
  await hive.engine.settled();
  const [second, third] = await ids({});
  expect(await ids({ session: first.session_id })).toEqual([second]);
  expect(await ids({ session: first.session_id }, true)).toEqual([second, first.id]);
  expect(await ids({ trace: first.trace_id }, true)).toEqual([first.id]);
  expect(await ids({ trace: first.trace_id })).toEqual([]);
  expect(await ids({ trace: first.trace_id, session: "s999" }, true)).toEqual([]);
  expect(await ids({}, true)).toEqual([third, second, first.id]);
});

it("lists all approvals from the newest on, whatever digits their ids have", async () => {
  const hive = await createTestHive();
  const list = approvalReads(hive.engine.read)["approvals.list"];
  const looking = {} as Caller;
  const told: string[] = [];
  while (!told.some((id) => id.length > (told[0]?.length ?? 0))) {
    await hive.say(`call file_write {"path":"${told.length}.txt","content":"hi"}`);
    await hive.engine.settled();
    const waiting = await list({ all: false, limit: 1 }, looking);
    told.push(...waiting.map(({ id }) => id));
    await decide(hive, { decision: "deny" });
    await hive.engine.settled();
    hive.clock.advance(1000);
  }
  expect((await list({ all: true, limit: 100 }, looking)).map(({ id }) => id)).toEqual(
    told.toReversed(),
  );
});
