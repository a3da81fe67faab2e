import { describe, expect, it } from "vitest";
import { FakeChannel, type SeenMessage } from "../../../src/adapters/channel/fake-channel.ts";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { repostQuestions } from "../../../src/actors/channel/questions/repost.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { type DiskMaker, libsqlDisk, memoryDisk } from "../../support/disks.ts";
import { reached, slowFiles } from "../hive-watch.ts";
import {
  cards,
  type Desk,
  happens,
  labelsOf,
  onlyCard,
  openDesk,
  states,
  taps,
  tell,
  textOf,
  waits,
  write,
} from "./question-desk.ts";

/** Questions that outlive the process that put them. */

const disks: readonly [string, DiskMaker][] = [
  ["memory", memoryDisk],
  ["libsql", libsqlDisk],
];

const minuteMs = 60_000;

const askedAgain = ({ engine, channels, clock }: Desk, afterMs = minuteMs) =>
  repostQuestions(engine.read, channels, clock.now() + afterMs);

async function postAgain(desk: Desk): Promise<void> {
  for (const { to, event } of await askedAgain(desk))
    await desk.engine.send(to, event, { origin: "api" });
  await desk.engine.settled();
}

describe.each(disks)("over %s", (_name, make) => {
  it("A01: decides once by the button of before a crash, also when it is tapped twice", async () => {
    const disk = await make(allTables);
    try {
      const channel = new FakeChannel();
      const first = await openDesk({ channel, store: await disk.open() });
      await tell(first, write);
      const card = onlyCard(first);
      await disk.crash();

      const { clock } = first;
      const second = await openDesk({ channel, store: await disk.open(), clock });
      const tap = taps(card, "Allow once");
      await happens(second, tap);
      await disk.crash();

      const third = await openDesk({ channel, store: await disk.open(), clock });
      await waits(third, 1_000);
      await happens(third, tap, taps(card, "Allow once"));
      expect(await states(third)).toEqual(["approved"]);
      expect(await third.words()).toEqual(["Allowed once", "No longer open: approved by you"]);
      expect(textOf(onlyCard(third))).toMatch(/^Approval a\d+ \(approved by tg:1001\)/);
      await third.engine.close();
    } finally {
      await disk.dispose();
    }
  });
});

it("asks with buttons what became of a call that the service died in", async () => {
  const disk = await memoryDisk(allTables);
  const channel = new FakeChannel();
  const files = createMemoryFiles();
  const first = await openDesk({
    channel,
    store: await disk.open(),
    files: slowFiles(files).files,
  });
  await tell(first, write);
  const executing = reached(first, "tool_call", "executing");
  await channel.put(taps(onlyCard(first), "Allow once"));
  await executing;
  await disk.crash();

  const { clock } = first;
  const second = await openDesk({ channel, store: await disk.open(), files, clock });
  await second.engine.settled();
  const card = cards(second).at(-1) as SeenMessage;
  expect(textOf(card)).toMatch(/^What became of this call\? a\d+\ntool: file_write \(guarded\)/);
  expect(labelsOf(card)).toEqual([
    ["Retry: run it again"],
    ["Skip: go on without it"],
    ["Done: it took effect"],
  ]);
  await tell(second, "retry");
  expect(await states(second)).toEqual(["approved", "pending"]);
  expect(second.heard().at(-1)).toMatch(/^What is typed decides nothing here/);
  await happens(second, taps(card, "Done: it took effect"));
  expect(await states(second)).toEqual(["approved", "answered"]);
  expect(await second.words()).toContain("Answered: done");
});

it("puts a question again after a restart, and the older card points to it, without buttons", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  await postAgain(desk);
  const [older, newer] = cards(desk) as [SeenMessage, SeenMessage];
  expect(textOf(older)).toMatch(/^Approval a\d+\nAsked again below\.$/);
  expect(older.buttons).toEqual([]);
  expect(labelsOf(newer)).toEqual([["Allow once", "For this session"], ["Deny"]]);

  await happens(desk, taps(newer, "Deny"));
  for (const card of cards(desk)) {
    expect(textOf(card)).toMatch(/^Approval a\d+ \(denied by tg:1001\)/);
    expect(card.buttons).toEqual([]);
  }
});

it("leaves the older card its buttons when the newer one does not arrive", async () => {
  const channel = new FakeChannel();
  const desk = await openDesk({ channel });
  await tell(desk, write);
  const error = new AgentError("channel.refused", "The bot was blocked.");
  channel.sendFaults.push({ kind: "refuse", error });
  await postAgain(desk);
  expect(labelsOf(onlyCard(desk)).flat()).toContain("Allow once");
  await happens(desk, taps(onlyCard(desk), "Allow once"));
  expect(await states(desk)).toEqual(["approved"]);
});

it("puts nothing again that is on its way", async () => {
  const channel = new FakeChannel();
  const down = new AgentError("channel.unreachable", "The line is down.", { retryable: true });
  channel.sendFaults.push({ kind: "refuse", error: down });
  const desk = await openDesk({ channel });
  await tell(desk, write);
  expect(cards(desk)).toEqual([]);
  expect(await askedAgain(desk)).toEqual([]);
  await waits(desk, 10_000);
  expect(labelsOf(onlyCard(desk)).flat()).toContain("Allow once");
});

it("puts nothing again that people have had for less than a minute", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  expect(await askedAgain(desk, minuteMs - 1)).toEqual([]);
  expect((await askedAgain(desk)).length).toBeGreaterThan(0);
});

it("puts nothing again that has ended, or was asked at the machine", async () => {
  const desk = await openDesk();
  await tell(desk, write);
  await happens(desk, taps(onlyCard(desk), "Deny"));
  await desk.say(write);
  await desk.engine.settled();
  expect(await states(desk)).toEqual(["denied", "pending"]);
  expect(await askedAgain(desk)).toEqual([]);
});
