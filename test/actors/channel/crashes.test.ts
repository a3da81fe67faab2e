import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { type DeliveryRow, deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import { messageTable } from "../../../src/schema/rows/session-rows.ts";
import { connectorAddress } from "../../../src/actors/channel/channels.ts";
import { type ChannelHive, createChannelHive, says } from "../../support/channel-hive.ts";
import { crashEverywhere, type CrashScenario } from "../../support/crash-driver.ts";
import { memoryDisk } from "../../support/disks.ts";

/** Two messages and a command between them that come in one batch, and their answers: dropped at every commit, before and after. */

type End = {
  readonly said: readonly string[];
  /** How its delivery ended, and how often people see it. */
  readonly replies: readonly (readonly [state: string, seen: number])[];
  readonly openDeliveries: number;
  readonly lostReplies: number;
  /** Words that one may not have arrived. */
  readonly warnings: number;
};

function scenario(): CrashScenario<End> {
  return {
    makeDisk: () => memoryDisk(allTables),
    stage: () => {
      const channel = new FakeChannel();
      const clock = createSimulatedClock(1_000_000);
      const updates = [
        says("hello", { update: "1" }),
        says("/help", { chat: "-100", update: "2" }),
        says("hi", { from: "1002", update: "3" }),
      ];
      void channel.put(...updates, updates[0] as never);
      return async (disk, faultPoint) => {
        const store = await disk.open();
        const hive = await createChannelHive({ store, clock, channel, faultPoint });
        await allReceived(hive);
        return whatHappened(hive);
      };
    },
  };
}

/** A dead engine says so. */
async function allReceived({ engine }: ChannelHive): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
    const connector = await engine.get(connectorAddress("tg"));
    if (connector?.context["cursor"] === "4" && connector.state === "polling") break;
    await setImmediate();
  }
  await engine.settled();
  await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
}

async function whatHappened({ engine, channel }: ChannelHive): Promise<End> {
  const messages = await engine.read.select(messageTable, { index: "key" });
  const deliveries = await engine.read.select(deliveryTable, { index: "by_seq" });
  const seenIn = (scope: string) =>
    channel.messages.filter(({ buttons, ...at }) => at.scope === scope && buttons.length === 0)
      .length;
  const isWarning = ({ kind, about }: DeliveryRow) => kind === "notice" && about !== null;
  const warnings = deliveries.filter(isWarning);
  return {
    said: messages.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content)),
    replies: deliveries
      .filter((row) => !isWarning(row))
      .map(({ state, scope }) => [state, seenIn(scope)]),
    openDeliveries: deliveries.filter(({ open }) => open === 1).length,
    warnings: warnings.length,
    lostReplies: deliveries.filter(({ kind, state }) => kind === "reply" && state === "unknown")
      .length,
  };
}

const textsOf = (content: readonly { readonly type: string }[]) =>
  content.map((block) => ("text" in block ? String(block.text) : ""));

describe("messages over a channel, with the engine dropped at every commit,", () => {
  it("are each taken once, and answered once or said to be unknown", async () => {
    const plays = await crashEverywhere(scenario());
    expect(plays.length).toBeGreaterThan(20);
    for (const { crashedAt, result } of plays) {
      const { said, replies, openDeliveries, lostReplies, warnings } = result;
      expect({ crashedAt, said: said.toSorted(), openDeliveries }).toEqual({
        crashedAt,
        said: ["hello", "hi"],
        openDeliveries: 0,
      });
      expect({ crashedAt, replies: replies.length }).toEqual({ crashedAt, replies: 3 });
      const wrong = replies.filter(([state, seen]) =>
        state === "delivered" ? seen !== 1 : state !== "unknown" || seen > 1,
      );
      expect({ crashedAt, wrong }).toEqual({ crashedAt, wrong: [] });
      expect({ crashedAt, warnings }).toEqual({ crashedAt, warnings: lostReplies });
    }
    expect(plays.some(({ result }) => result.replies.some(([state]) => state === "unknown"))).toBe(
      true,
    );
  });
});
