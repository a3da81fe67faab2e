import { describe, expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { tellRestart } from "../../../src/app/channels/restart-report.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { type ChannelHive, createChannelHive, says } from "../../support/channel-hive.ts";
import { type Disk, type DiskMaker, libsqlDisk, memoryDisk } from "../../support/disks.ts";
import { heldModel } from "../../support/held-model.ts";

/** What people in channels hear when the service comes back. */

const disks: readonly [string, DiskMaker][] = [
  ["memory", memoryDisk],
  ["libsql", libsqlDisk],
];

async function withDisk(make: DiskMaker, play: (disk: Disk) => Promise<void>): Promise<void> {
  const disk = await make(allTables);
  try {
    await play(disk);
  } finally {
    await disk.dispose();
  }
}

/** A service whose model is in the middle of two answers, one in a chat and one at the machine, while another chat waits for an
 *  approval and a third has its answer. */
function house(disk: Disk) {
  const channel = new FakeChannel();
  const clock = createSimulatedClock(1_000_000);
  let hive: ChannelHive | undefined;
  let model = heldModel();
  const start = async () => {
    model = heldModel();
    clock.advance(60_000);
    const { provider } = model;
    hive = await createChannelHive({ channel, clock, provider, store: await disk.open() });
    return hive;
  };
  return {
    channel,
    start,
    async busy() {
      const { engine, say } = await start();
      const begins = async (text: string, from: string) => {
        await channel.put(says(text, { from }));
        return model.next();
      };
      (await begins("hello", "1002")).says("Hello yourself.");
      await engine.settled();
      (await begins("please write a.txt", "1002")).calls("file_write", {
        path: "a.txt",
        content: "hi",
      });
      await engine.settled();
      await say("and at the machine");
      await model.next();
      await begins("a long story\nabout bees", "1001");
      await channel.put(says("and make it rhyme", { from: "1001" }));
    },
    async comeBack(wasCrash: boolean) {
      const { engine, ...others } = await start();
      const channels = { get: () => channel, settings: () => undefined };
      const startedAt = clock.now();
      await tellRestart({ engine, channels, log: silentLog, startedAt, wasCrash });
      await until(() => channel.messages.every(({ scope }) => scope !== ""));
      return { engine, ...others };
    },
    heardBy: (scope: string) =>
      channel.messages
        .filter((message) => message.scope === scope)
        .map(({ body }) =>
          body.kind === "card" ? (body.parts[0] as { text: string }).text : body.text,
        ),
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (round > 100 && isSo()) return;
  }
}

const back = "I was interrupted by a fault and am back.";

describe.each(disks)("over %s, after a crash", (_name, make) => {
  it("each conversation in which something was interrupted hears once what goes on and what waits", () =>
    withDisk(make, async (disk) => {
      const home = house(disk);
      await home.busy();
      await disk.crash();
      await home.comeBack(true);
      const goesOn = [
        back,
        "I go on with: “a long story about bees”",
        "One more message waits for its turn.",
      ].join("\n");
      const waits = `${back}\nAn answer to my question is still needed for: “please write a.txt”`;
      expect(home.heardBy("1001").filter((text) => text.startsWith(back))).toEqual([goesOn]);
      expect(home.heardBy("1002").filter((text) => text.startsWith(back))).toEqual([waits]);
      await disk.crash();
      await home.comeBack(true);
      const all = home.channel.messages.filter(
        ({ body }) => body.kind === "plain" && body.text.startsWith(back),
      );
      expect(all.map(({ scope }) => scope).toSorted()).toEqual(["1001", "1002"]);
    }));

  it("questions are put again behind that, and without it after a stop", () =>
    withDisk(make, async (disk) => {
      const home = house(disk);
      await home.busy();
      const before = home.channel.messages.length;
      await disk.crash();
      await home.comeBack(false);
      const after = home.channel.messages.slice(before);
      expect(after.map(({ body }) => body.kind)).not.toContain("plain");
      expect(after.map(({ scope }) => scope)).toContain("1002");
    }));
});
