import { expect, it } from "vitest";
import type { FileToSend } from "../../../support/telegram/people.ts";
import { faults } from "../../../support/telegram-server.ts";
import { faultOf, never, useBotWorld } from "./bot-world.ts";

const world = useBotWorld();
const limits = { maxBytes: 1000 };

/** @returns the id of a file that a person has sent */
function sent(file: Partial<FileToSend>): string {
  world.bot.say("", { file: { kind: "document", bytes: Buffer.from("hello"), ...file } });
  return [...world.bot.account.files.keys()].at(-1) ?? "";
}

/** Never ends by itself; counts what is taken of it. */
function endless() {
  const taken = { chunks: 0 };
  function* bytes() {
    for (;;) {
      taken.chunks += 1;
      yield new Uint8Array(64 * 1024);
    }
  }
  return { taken, bytes };
}

it("brings a file whole", async () => {
  const fetched = await world.channelWith().fetch(sent({}), limits, never);
  expect(Buffer.from(fetched.bytes).toString()).toBe("hello");
  expect(fetched.mediaType).toBeNull();
});

it("T08: begins no download of what says that it is too large", async () => {
  const { taken, bytes } = endless();
  for (const saysSize of [1001, 2 * 1024 ** 3]) {
    const fault = await faultOf(
      world.channelWith().fetch(sent({ bytes, saysSize }), limits, never),
    );
    expect(fault).toMatchObject({ code: "file.too_large", retryable: false });
    expect(fault.message).toBe("The file has more than 1000 bytes.");
  }
  expect(taken.chunks).toBe(0);
});

it("T08: stops the download of what does not end, whatever size it says", async () => {
  for (const size of [{}, { saysSize: 5 }]) {
    const { taken, bytes } = endless();
    const fault = await faultOf(world.channelWith().fetch(sent({ bytes, ...size }), limits, never));
    expect(fault).toMatchObject({ code: "file.too_large" });
    expect(taken.chunks).toBeLessThan(1000);
  }
});

it("T08: takes no more than 20 MB, whatever the limit", async () => {
  const { bytes } = endless();
  const file = sent({ bytes, saysSize: 20 * 1024 ** 2 + 1 });
  const fetched = world.channelWith().fetch(file, { maxBytes: 2 ** 40 }, never);
  expect((await faultOf(fetched)).message).toBe("The file has more than 20971520 bytes.");
});

it.each([
  "../../../etc/passwd",
  "documents/../../bot8001:other/getUpdates",
  "/etc/passwd",
  "documents/..",
  "documents//file",
  "documents/%2e%2e/file",
  "documents/file?x=1",
  "documents/file#x",
  "http://evil.example/file",
  "documents/a b",
  "",
])("T08: asks for nothing outside of the bot's files: %j", async (path) => {
  const { taken, bytes } = endless();
  const fault = await faultOf(world.channelWith().fetch(sent({ bytes, path }), limits, never));
  expect(fault).toMatchObject({ code: "channel.refused", retryable: false });
  expect(fault.message).toContain("is none of Telegram's");
  expect(taken.chunks).toBe(0);
});

it("says that a file is gone, and tries again what breaks off or takes too long", async () => {
  const gone = sent({});
  const { bot } = world;
  const body = JSON.stringify({ ok: true, result: { file_id: gone, file_path: "documents/gone" } });
  bot.fail("getFile", { kind: "answer", status: 200, type: "application/json", body });
  const fault = await faultOf(world.channelWith().fetch(gone, limits, never));
  expect(fault).toMatchObject({ code: "channel.refused" });
  async function* breaking() {
    yield new Uint8Array(10);
    throw new Error("the disk is gone");
  }
  const broken = await faultOf(world.channelWith().fetch(sent({ bytes: breaking }), limits, never));
  expect(broken).toMatchObject({ code: "channel.unreachable", retryable: true });
  async function* slow() {
    yield new Uint8Array(10);
    await new Promise<never>(() => {});
  }
  const hasty = world.channelWith({ downloadTimeoutMs: 400 });
  const late = await faultOf(hasty.fetch(sent({ bytes: slow }), limits, never));
  expect(late.message).toBe("The download of a file took too long.");
  const stop = new AbortController();
  const stopped = faultOf(world.channelWith().fetch(sent({ bytes: slow }), limits, stop.signal));
  await bot.until(() => bot.callsOf("getFile").length === 4);
  stop.abort();
  expect(await stopped).toMatchObject({ code: "activity.aborted" });
});

it("says what Telegram says of a file that it does not have", async () => {
  world.bot.fail("getFile", faults.serverError);
  const fetched = () => world.channelWith().fetch("unknown", limits, never);
  expect(await faultOf(fetched())).toMatchObject({ code: "channel.unreachable" });
  expect(await faultOf(fetched())).toMatchObject({ code: "channel.refused" });
});
