import { describe, expect, it } from "vitest";
import { FakeChannel, type SeenMessage } from "../../../src/adapters/channel/fake-channel.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { auditTable } from "../../../src/schema/rows/audit-rows.ts";
import { deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { type ChannelHive, says } from "../../support/channel-hive.ts";
import { type DiskMaker, libsqlDisk, memoryDisk } from "../../support/disks.ts";
import { happens, openDesk, taps, tell } from "./question-desk.ts";

/** What becomes of answers that may not have arrived. */

const disks: readonly [string, DiskMaker][] = [
  ["memory", memoryDisk],
  ["libsql", libsqlDisk],
];

const replies = async ({ engine }: ChannelHive) =>
  (await engine.read.select(deliveryTable, { index: "by_seq" })).filter(
    ({ kind }) => kind === "reply",
  );

const noticeIn = ({ messages }: FakeChannel): SeenMessage => {
  const found = messages.filter(({ buttons }) => buttons.flat()[0]?.label === "Send it again");
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} notices`);
  return found[0];
};

const group = { chat: "-100", from: "1002" };

async function lostIn(saying: { readonly chat?: string; readonly from?: string }) {
  const channel = new FakeChannel();
  const desk = await openDesk({ channel });
  channel.sendFaults.push({ kind: "lose_answer" });
  await tell(desk, "hello", saying);
  return { channel, desk, notice: noticeIn(channel) };
}

describe("an answer that may not have arrived", () => {
  it("is said to be so, and sent again once by whoever may write there", async () => {
    const { channel, desk, notice } = await lostIn(group);
    expect(notice).toMatchObject({
      scope: "-100",
      body: { text: expect.stringMatching(/^An answer of mine may not have reached you/) },
    });
    const tap = () => taps(notice, "Send it again", group);
    await happens(desk, tap(), tap());
    await happens(desk, tap());
    expect(await replies(desk)).toMatchObject([{ state: "unknown" }, { state: "delivered" }]);
    expect(await desk.words()).toEqual(["Sent again", "Sent again", "Sent again"]);
    const audit = await desk.engine.read.select(auditTable, { index: "key" });
    expect(audit.filter(({ status }) => status === "resent")).toMatchObject([
      { decided_by: "tg:1002" },
    ]);
    expect(channel.messages.filter(({ scope }) => scope === "-100")).toHaveLength(3);
  });

  it("is not sent again by who may only approve, from another chat, or by another message", async () => {
    const { desk, notice } = await lostIn(group);
    const elsewhere = { chat: "1001", from: "1001" };
    await happens(desk, taps(notice, "Send it again", { chat: "-100", from: "9009" }));
    await happens(desk, taps(notice, "Send it again", elsewhere));
    await happens(desk, taps({ ...notice, message_id: "1" }, "Send it again", group));
    expect(await replies(desk)).toHaveLength(1);
    expect((await desk.words()).at(-1)).toBe("Not sent again");
  });

  it("is not told of twice where that word does not arrive either", async () => {
    const channel = new FakeChannel();
    const desk = await openDesk({ channel });
    channel.sendFaults.push({ kind: "lose_answer" }, { kind: "lose_answer" });
    await tell(desk, "hello");
    const all = await desk.engine.read.select(deliveryTable, { index: "by_seq" });
    expect(all.map(({ kind, state }) => [kind, state])).toEqual([
      ["reply", "unknown"],
      ["notice", "unknown"],
    ]);
  });
});

it("an answer that the channel refuses is not lost in silence", async () => {
  const channel = new FakeChannel();
  const desk = await openDesk({ channel });
  const refusal = new AgentError("channel.refused", "400: message is too strange.");
  channel.sendFaults.push({ kind: "refuse", error: refusal });
  await tell(desk, "hello");
  expect(noticeIn(channel).body).toMatchObject({
    text: "An answer of mine could not be sent. 400: message is too strange.",
  });
});

/** Takes what is sent, and never says so. */
class HangingChannel extends FakeChannel {
  isHanging = true;
  override async send(...said: Parameters<FakeChannel["send"]>) {
    const sent = await super.send(...said);
    return this.isHanging ? new Promise<never>(() => undefined) : sent;
  }
}

describe.each(disks)("over %s", (_name, make) => {
  it("an answer that a crash interrupts as it is sent is said to be unknown", async () => {
    const disk = await make(allTables);
    try {
      const channel = new HangingChannel();
      const clock = createSimulatedClock(1_000_000);
      const first = await openDesk({ channel, clock, store: await disk.open() });
      await channel.put(says("hello", { from: "1002" }));
      while (channel.messages.length === 0) await new Promise((wake) => setImmediate(wake));
      await disk.crash();
      channel.isHanging = false;
      const second = await openDesk({ channel, clock: first.clock, store: await disk.open() });
      await second.engine.settled();
      expect(await replies(second)).toMatchObject([{ state: "unknown", open: 0 }]);
      await happens(second, taps(noticeIn(channel), "Send it again", { from: "1002" }));
      expect((await replies(second)).map(({ state }) => state)).toEqual(["unknown", "delivered"]);
      await second.engine.close();
    } finally {
      await disk.dispose();
    }
  });
});
