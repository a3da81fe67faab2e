import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { connectorAddress } from "../../../src/actors/channel/channels.ts";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { deliveryTable, openFetchTable } from "../../../src/schema/rows/channel-rows.ts";
import { fileOriginTable } from "../../../src/schema/rows/file-origin-rows.ts";
import { inboxTable, messageTable } from "../../../src/schema/rows/session-rows.ts";
import { attached, type ChannelHive, createChannelHive, says } from "../../support/channel-hive.ts";
import { crashEverywhere, type CrashScenario } from "../../support/crash-driver.ts";
import { memoryDisk } from "../../support/disks.ts";

/** An album of which one file cannot be had, and a word after it: dropped at every commit, before and after. */

type End = {
  /** Of the message that a run begins with, and of that which waits for its turn: no run has room to work. */
  readonly said: readonly string[];
  readonly files: readonly string[];
  readonly marked: readonly string[];
  readonly waiting: number;
  /** What its person heard of the file that is missing, sent or not known to be. */
  readonly notices: number;
};

const photo = (file: string, update: string) =>
  says(update === "1" ? "our garden" : "", {
    files: [attached(file, { kind: "photo" })],
    album: "a",
    update,
  });

function scenario(): CrashScenario<End> {
  return {
    makeDisk: () => memoryDisk(allTables),
    stage: () => {
      const channel = new FakeChannel();
      const clock = createSimulatedClock(1_000_000);
      const files = createMemoryFiles();
      channel.files.set("a", { bytes: new Uint8Array(10), mediaType: "image/jpeg" });
      void channel.put(photo("a", "1"), photo("gone", "2"), says("is it nice?", { update: "3" }));
      return async (disk, faultPoint) => {
        const store = await disk.open();
        const hive = await createChannelHive({
          store,
          clock,
          channel,
          files,
          faultPoint,
          maxConcurrentRuns: 0,
        });
        await allReceived(hive);
        clock.advance(500);
        await alive(hive);
        return whatHappened(hive);
      };
    },
  };
}

/** A dead engine says so. */
async function alive({ engine }: ChannelHive): Promise<void> {
  await engine.settled();
  await engine.send("nobody", { type: "run.cancel" }, { origin: "cli" });
}

async function allReceived(hive: ChannelHive): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    await alive(hive);
    const connector = await hive.engine.get(connectorAddress("tg"));
    if (connector?.context["cursor"] === "3" && connector.state === "polling") break;
    await setImmediate();
  }
  await alive(hive);
}

async function whatHappened({ engine, files }: ChannelHive): Promise<End> {
  const { read } = engine;
  const messages = await read.select(messageTable, { index: "key" });
  const waiting = await read.select(inboxTable, { index: "key" });
  const { entries } = await files.list("inbox", { depth: 1, maxEntries: 10 });
  const marks = await read.select(fileOriginTable, { index: "key" });
  const deliveries = await read.select(deliveryTable, { index: "by_seq" });
  return {
    said: [
      ...messages.flatMap(({ content }) =>
        content.map((block) => ("text" in block ? block.text : "")),
      ),
      ...waiting.map(({ text }) => text),
    ],
    files: entries.map(({ path }) => path),
    marked: marks.map(({ path }) => path),
    waiting: (await read.select(openFetchTable, { index: "key" })).length,
    notices: deliveries.filter(({ kind, about }) => kind === "notice" && about === null).length,
  };
}

it("loses no file and no word of what people send, and says neither twice, with the engine dropped at every commit", async () => {
  const plays = await crashEverywhere(scenario());
  expect(plays.length).toBeGreaterThan(20);
  for (const { crashedAt, result } of plays) {
    const [file] = result.files;
    expect({ crashedAt, ...result }).toEqual({
      crashedAt,
      said: [
        [
          "our garden\n",
          `[file: ${file}, photo, image/jpeg, 10 B]`,
          "[file not received: photo: the channel does not give it out]",
        ].join("\n"),
        "is it nice?",
      ],
      files: [expect.stringMatching(/^inbox\/19700101-f\d+-1\.jpg$/)],
      marked: [file],
      waiting: 0,
      notices: 1,
    });
  }
});
