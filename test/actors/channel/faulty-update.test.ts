import { expect, it } from "vitest";
import type { Doorway } from "../../../src/gateway/judged.ts";
import { auditTable } from "../../../src/schema/rows/audit-rows.ts";
import {
  type ChannelHive,
  createChannelHive,
  says,
  testSettings,
} from "../../support/channel-hive.ts";
import { happens } from "./question-desk.ts";

/** A fault of ours that one update meets, in the gateway or behind it, stops neither the connector nor what comes with it. */

class Faulty extends Array<string> {
  override includes(id: string): boolean {
    if (id === "666") throw new RangeError("no such number");
    return super.includes(id);
  }

  override filter(): never {
    throw new RangeError("no such agent");
  }
}

const openWith = (faulty: Partial<Doorway>) =>
  createChannelHive({
    settings: { ...testSettings, doorway: { ...testSettings.doorway, ...faulty } },
  });

const audited = async ({ engine }: ChannelHive) =>
  (await engine.read.select(auditTable, { index: "key" })).map(({ decided_by, reason }) => [
    decided_by,
    reason,
  ]);

const begins = (hive: ChannelHive) => hive.heard().map((text) => text.slice(0, 32));

it("where it is judged: the others are served, and the audit says what it met", async () => {
  const hive = await openWith({ allow_users: Faulty.of("1001", "1002") });
  const bad = says("bad", { from: "666" });
  await happens(hive, says("one"), bad, says("two", { from: "1002" }));
  await happens(hive, bad, says("three"));
  expect(begins(hive)).toEqual(Array(3).fill("I am the built-in offline model:"));
  const fault = ["tg:666", "fault: internal: no such number"];
  expect(await audited(hive)).toEqual([fault, fault]);
});

it("where it is handed on: its person hears so, too", async () => {
  const hive = await openWith({ agents: Faulty.of("main") });
  await happens(hive, says("/agent main"), says("two", { from: "1002" }));
  expect(begins(hive)).toEqual([
    "A fault inside statehive kept me",
    "I am the built-in offline model:",
  ]);
  expect(await audited(hive)).toEqual([["tg:1001", "fault: internal: no such agent"]]);
});
