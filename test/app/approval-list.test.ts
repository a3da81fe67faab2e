import { expect, it } from "vitest";
import { approvalReads } from "../../src/app/api/approvals.ts";
import type { Caller } from "../../src/app/api/caller.ts";
import { decide } from "../actors/hive-watch.ts";
import { createTestHive } from "../support/hive.ts";

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
