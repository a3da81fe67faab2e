import { expect, it } from "vitest";
import { recordReads } from "../../src/app/api/records.ts";
import type { Caller } from "../../src/app/api/caller.ts";
import { createTestHive } from "../support/hive.ts";

it("names a conversation by its own name here, and by its place on a channel", async () => {
  const hive = await createTestHive();
  for (const key of [
    "local:local:two%20words:owner:main",
    "telegram:tg_main:1001:1001:main",
    "telegram:tg_ops:-100123:1001:main",
  ]) {
    await hive.say("hello", key);
    await hive.engine.settled();
    hive.clock.advance(1000);
  }
  const list = recordReads(hive.engine.read, async () => [])["sessions.list"];
  const rows = await list({ limit: 10 }, {} as Caller);
  expect(rows.map(({ label }) => label)).toEqual([
    "tg_ops -100123 1001",
    "tg_main 1001",
    "two words",
  ]);
});
