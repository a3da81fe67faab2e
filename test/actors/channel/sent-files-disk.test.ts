import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { createLinuxFiles } from "../../../src/adapters/files/linux-files.ts";
import { fileOriginTable } from "../../../src/schema/rows/file-origin-rows.ts";
import { attached, createChannelHive, says } from "../../support/channel-hive.ts";
import { canMount, mountSmallDisk } from "../../support/small-disk.ts";

/** What people send, onto a real disk that does not take it. */

const missed = "I did not get the photo: it could not be stored here.";

async function send(root: string) {
  const channel = new FakeChannel();
  channel.files.set("p", { bytes: new Uint8Array(100_000), mediaType: "image/jpeg" });
  const hive = await createChannelHive({ channel, files: await createLinuxFiles({ root }) });
  const sendPhoto = async () => {
    await channel.put(says("", { files: [attached("p", { kind: "photo" })] }));
    await hive.engine.settled();
    return hive.heard();
  };
  return { hive, sendPhoto };
}

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "statehive-inbox-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("follows no link that an agent put in the inbox's place, nor writes over a file there", async () => {
  const [root, elsewhere] = [directory(), directory()];
  symlinkSync(elsewhere, join(root, "inbox"));
  const { hive, sendPhoto } = await send(root);
  expect(await sendPhoto()).toEqual([missed]);
  expect(readdirSync(elsewhere)).toEqual([]);
  rmSync(join(root, "inbox"));
  writeFileSync(join(root, "inbox"), "mine");
  expect(await sendPhoto()).toEqual([missed, missed]);
  expect(await hive.engine.read.select(fileOriginTable, { index: "key" })).toEqual([]);
  rmSync(join(root, "inbox"));
  expect((await sendPhoto()).slice(2)).toEqual([expect.stringContaining("offline")]);
  expect(readdirSync(join(root, "inbox"))).toHaveLength(1);
});

it("says so where the workspace is gone, and takes files again once it is back", async () => {
  const root = directory();
  const { sendPhoto } = await send(root);
  rmSync(root, { recursive: true });
  expect(await sendPhoto()).toEqual([missed]);
  mkdirSync(root);
  expect((await sendPhoto()).slice(1)).toEqual([expect.stringContaining("offline")]);
});

it.runIf(canMount)("leaves nothing behind on a full disk, and says so", async () => {
  const disk = mountSmallDisk();
  onTestFinished(disk.unmount);
  const { sendPhoto } = await send(disk.directory);
  disk.fill();
  expect(await sendPhoto()).toEqual([missed]);
  disk.makeRoom();
  expect((await sendPhoto()).slice(1)).toEqual([expect.stringContaining("offline")]);
  expect(readdirSync(join(disk.directory, "inbox"))).toHaveLength(1);
});
