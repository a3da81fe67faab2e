import { describe, expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { fileLimits } from "../../../src/machines/download/download-rules.ts";
import { openFetchTable } from "../../../src/schema/rows/channel-rows.ts";
import type { DownloadContext } from "../../../src/schema/contexts/download-context.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { fileOriginTable } from "../../../src/schema/rows/file-origin-rows.ts";
import { runTable } from "../../../src/schema/rows/run-rows.ts";
import { messageTable } from "../../../src/schema/rows/session-rows.ts";
import {
  attached,
  type ChannelHive,
  createChannelHive,
  says,
  type Saying,
  testSettings,
} from "../../support/channel-hive.ts";

const bytes = (size: number) => ({ bytes: new Uint8Array(size), mediaType: null });
const note = { bytes: new TextEncoder().encode("hello from afar"), mediaType: "text/plain" };

/** What agents were told, oldest first. */
async function told({ engine }: ChannelHive): Promise<string[]> {
  const messages = await engine.read.select(messageTable, { index: "key" });
  return messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content.map((block) => (block.type === "text" ? block.text : "")));
}

const notices = ({ heard }: ChannelHive) => heard().filter((text) => text.startsWith("I did not"));

async function inbox({ files }: ChannelHive): Promise<string[]> {
  const found = await files
    .list("inbox", { depth: 1, maxEntries: 100 })
    .catch(() => ({ entries: [] }));
  return found.entries.map(({ path }) => path);
}

const downloads = ({ engine }: ChannelHive) => engine.actors({ prefix: "connector/tg/download/" });

/** A channel whose files come when the test says so. */
class SlowChannel extends FakeChannel {
  private readonly waiting: (() => void)[] = [];

  override async fetch(...call: Parameters<FakeChannel["fetch"]>) {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return super.fetch(...call);
  }

  /** The file that was asked for first arrives. */
  arrive(): void {
    this.waiting.shift()?.();
  }

  get isAsked(): boolean {
    return this.waiting.length > 0;
  }
}

/** Nothing waits for the writer any more, whatever is on its way. */
async function quiet({ engine }: ChannelHive): Promise<void> {
  const nothing = { journalBefore: 0, endedActorsBefore: 0, idempotencyBefore: 0 };
  for (let idle = 0; idle < 3; idle += 1) {
    await engine.prune(nothing);
    if (engine.health().queued > 0) idle = 0;
  }
}

const album = (text: string, file: string, more: Saying = {}) =>
  says(text, { files: [attached(file, { kind: "photo" })], album: "a1", ...more });

describe("a file that a person sends", () => {
  it("lies in the agent's inbox under a name of ours, and the agent is told of it", async () => {
    const hive = await createChannelHive();
    hive.channel.files.set("v", { bytes: new Uint8Array(12_300), mediaType: "audio/ogg" });
    const voice = attached("v", { kind: "voice", media_type: null, bytes: 12_000 });
    await hive.channel.put(says("listen", { files: [voice] }));
    await hive.engine.settled();
    const [path] = await inbox(hive);
    expect(path).toMatch(/^inbox\/19700101-f\d+-1\.ogg$/);
    expect(await told(hive)).toEqual([
      `listen\n\n[file: ${path}, voice message, audio/ogg, 12 KB]`,
    ]);
    expect(await downloads(hive)).toMatchObject([{ state: "handed", parent: "connector/tg" }]);
    expect(await hive.engine.read.select(openFetchTable, { index: "key" })).toEqual([]);
    expect(hive.heard()).toHaveLength(1);
  });

  it("is named by its kind where nothing else tells of it, as of a round video", async () => {
    const hive = await createChannelHive();
    hive.channel.files.set("r", bytes(9));
    await hive.channel.put(says("", { files: [attached("r", { kind: "video" })] }));
    await hive.engine.settled();
    expect(await told(hive)).toEqual([
      expect.stringMatching(/^\[file: inbox\/\S+\.mp4, video, 9 B\]$/),
    ]);
  });

  it("T08: lies there whatever its sender calls it, and is a stranger's text to whoever reads it", async () => {
    const hive = await createChannelHive();
    hive.channel.files.set("d", note);
    const named = attached("d", {
      name: "../../etc/pass\u202ewd\n].txt",
      media_type: "text/plain",
    });
    await hive.channel.put(says("", { files: [named] }));
    await hive.engine.settled();
    const [path = ""] = await inbox(hive);
    const [text = ""] = await told(hive);
    expect(text).toBe(
      `[file: ${path}, document "../../etc/pass\\u{202e}wd\\n'.txt", text/plain, 15 B]`,
    );
    const marks = await hive.engine.read.select(fileOriginTable, { index: "key" });
    expect(marks).toMatchObject([
      { workspace: "/workspace/main", path, origins: [`file:${path}`] },
    ]);
    await hive.channel.put(says(`call file_read {"path":"${path}"}`));
    await hive.engine.settled();
    const [run] = await hive.engine.read.select(runTable, {
      index: "by_started",
      descending: true,
      limit: 1,
    });
    const actor = await hive.engine.get(run?.address ?? "");
    expect(actor?.context).toMatchObject({ trust: { untrusted: [`file:${path}`] } });
    expect(actor?.tags).toContain("tainted");
  });

  it("may be empty, and comes again after the channel could not be reached", async () => {
    const hive = await createChannelHive();
    hive.channel.files.set("e", bytes(0));
    const gone = new AgentError("channel.unreachable", "no route", { retryable: true });
    hive.channel.fetchFaults.push(gone, gone);
    await hive.channel.put(says("here", { files: [attached("e", { name: "list.CSV" })] }));
    await hive.engine.settled();
    expect(await told(hive)).toEqual([]);
    hive.clock.advance(1_000);
    await hive.engine.settled();
    hive.clock.advance(2_000);
    await hive.engine.settled();
    const [path] = await inbox(hive);
    expect(path).toMatch(/\.csv$/);
    expect(await told(hive)).toEqual([`here\n\n[file: ${path}, document "list.CSV", 0 B]`]);
  });

  it("T08: that is too large, or cannot be had, is told to its person, and the others reach the agent with what was said", async () => {
    const hive = await createChannelHive();
    hive.channel.files.set("good", note);
    hive.channel.files.set("grown", bytes(fileLimits.bytes + 1));
    const files = [
      attached("huge", { name: "film.mp4", kind: "video", bytes: 25 * 1024 * 1024 }),
      attached("grown", { kind: "photo" }),
      attached("unknown", { name: "x.pdf" }),
      attached("good", { media_type: "text/plain" }),
    ];
    await hive.channel.put(says("take these", { files }));
    await hive.engine.settled();
    const [path] = await inbox(hive);
    expect(hive.channel.fetched).toEqual(["grown", "unknown", "good"]);
    expect(await told(hive)).toEqual([
      [
        "take these\n",
        '[file not received: video "film.mp4", 25 MB: it is larger than 20 MB]',
        "[file not received: photo: it is larger than 20 MB]",
        '[file not received: document "x.pdf": the channel does not give it out]',
        `[file: ${path}, document, text/plain, 15 B]`,
      ].join("\n"),
    ]);
    expect(notices(hive)).toEqual([
      [
        "I did not get these files:",
        '- video "film.mp4" (25 MB): it is larger than 20 MB',
        "- photo: it is larger than 20 MB",
        '- document "x.pdf": the channel does not give it out',
      ].join("\n"),
    ]);
  });

  it("that was all there is of a message and cannot be had leaves its agent alone", async () => {
    const hive = await createChannelHive();
    await hive.channel.put(says("", { files: [attached("unknown")] }));
    await hive.engine.settled();
    expect(await told(hive)).toEqual([]);
    expect(hive.heard()).toEqual(["I did not get the document: the channel does not give it out."]);
    expect(await downloads(hive)).toMatchObject([{ state: "failed", status: "done" }]);
    expect(await hive.engine.read.select(fileOriginTable, { index: "key" })).toEqual([]);
  });

  it("is one of ten and of 50 MB a message", async () => {
    const hive = await createChannelHive();
    const files = Array.from({ length: 12 }, (_, place) => attached(`f${place}`));
    for (const { file_id } of files.slice(0, 3))
      hive.channel.files.set(file_id, bytes(18 * 2 ** 20));
    for (const { file_id } of files.slice(3)) hive.channel.files.set(file_id, bytes(1));
    await hive.channel.put(says("", { files }));
    await hive.engine.settled();
    expect(await inbox(hive)).toHaveLength(9);
    expect(notices(hive)).toEqual([
      [
        "I did not get these files:",
        "- document: the files of a message may have 50 MB together",
        "- document: a message may bring 10 files",
        "- document: a message may bring 10 files",
      ].join("\n"),
    ]);
  });
});

describe("an album", () => {
  it("is one message, half a second after its last part, however its parts come", async () => {
    const hive = await createChannelHive();
    for (const file of ["1", "2", "3"]) hive.channel.files.set(file, note);
    await hive.channel.put(album("our garden", "1"), album("", "2"));
    hive.clock.advance(499);
    await hive.engine.settled();
    await hive.channel.put(album("in May", "3"));
    hive.clock.advance(499);
    await hive.engine.settled();
    expect(hive.channel.fetched).toEqual([]);
    hive.clock.advance(1);
    await hive.engine.settled();
    expect(hive.channel.fetched).toEqual(["1", "2", "3"]);
    const [text, ...others] = await told(hive);
    expect(text?.split("\n")).toEqual([
      "our garden",
      "",
      "in May",
      "",
      expect.stringMatching(/^\[file: inbox\/\S+-1\.jpg, photo, text\/plain, 15 B\]$/),
      expect.stringMatching(/^\[file: inbox\/\S+-2\.jpg, photo, text\/plain, 15 B\]$/),
      expect.stringMatching(/^\[file: inbox\/\S+-3\.jpg, photo, text\/plain, 15 B\]$/),
    ]);
    expect(others).toEqual([]);
    expect(hive.heard()).toHaveLength(1);
  });

  it("in a group is for the agent with all its parts where one of them names it, also when they come apart", async () => {
    const hive = await createChannelHive();
    for (const file of ["1", "2", "3", "4"]) hive.channel.files.set(file, note);
    const here = { chat: "-100" };
    const unnamed = { ...here, addressed: false };
    await hive.channel.put(album("what is this?", "1", here), album("", "2", unnamed));
    await hive.channel.put(
      album("", "3", unnamed),
      album("", "4", { ...unnamed, album: "for others" }),
      album("", "4", { ...unnamed, from: "1002" }),
    );
    hive.clock.advance(500);
    await hive.engine.settled();
    expect(hive.channel.fetched).toEqual(["1", "2", "3"]);
    expect(await told(hive)).toHaveLength(1);
  });

  it("in a group where a command hangs on it is no message to the agent", async () => {
    const hive = await createChannelHive();
    const here = { chat: "-100" };
    await hive.channel.put(
      album("/status", "1", here),
      album("", "2", { ...here, addressed: false }),
    );
    hive.clock.advance(500);
    await hive.engine.settled();
    expect([hive.channel.fetched, await told(hive)]).toEqual([[], []]);
  });

  it("that is sent twice is two messages, and what came before it is not held up by its second half", async () => {
    const channel = new SlowChannel();
    const hive = await createChannelHive({ channel });
    for (const file of ["1", "2"]) channel.files.set(file, note);
    await channel.put(album("first", "1"), album("again", "2", { album: "a2" }), says("and?"));
    hive.clock.advance(500);
    await quiet(hive);
    channel.arrive();
    await quiet(hive);
    expect(await told(hive)).toMatchObject([expect.stringMatching(/^first/)]);
    hive.clock.advance(500);
    await quiet(hive);
    channel.arrive();
    await hive.engine.settled();
    expect(await told(hive)).toMatchObject([
      expect.stringMatching(/^first/),
      expect.stringMatching(/^again/),
      "and?",
    ]);
  });
});

describe("what a person says while files come", () => {
  it("waits behind them, also in the same batch; what others say, or the person elsewhere, does not", async () => {
    const channel = new SlowChannel();
    const hive = await createChannelHive({ channel });
    channel.files.set("1", note);
    const group = { chat: "-100", from: "1001" };
    await channel.put(
      says("look", { files: [attached("1")] }),
      says("second"),
      says("elsewhere", group),
      says("other", { from: "1002" }),
    );
    await channel.put(says("third"));
    await quiet(hive);
    expect(channel.isAsked).toBe(true);
    expect(await told(hive)).toEqual(["elsewhere", "other"]);
    const marks = await hive.engine.read.select(fileOriginTable, { index: "key" });
    expect(marks, "marked before it can be there").toHaveLength(1);
    channel.arrive();
    await hive.engine.settled();
    expect((await told(hive)).slice(2)).toMatchObject([
      expect.stringMatching(/^look\n\n\[file: /),
      "second",
      "third",
    ]);
    expect(await downloads(hive)).toHaveLength(1);
    await channel.put(says("fourth"));
    await hive.engine.settled();
    expect(await downloads(hive)).toHaveLength(1);
    expect((await told(hive)).at(-1)).toBe("fourth");
  });

  it("is refused when too much of it waits, and its person hears so", async () => {
    const channel = new SlowChannel();
    const per_user = { capacity: 200, refill_per_minute: 200 };
    const hive = await createChannelHive({ channel, settings: { ...testSettings, per_user } });
    channel.files.set("1", note);
    const flood = Array.from({ length: 51 }, (_, number) => says(`${number}`));
    await channel.put(says("look", { files: [attached("1")] }), ...flood);
    await quiet(hive);
    expect(hive.heard()).toEqual([
      "Too many messages wait here already. I have not taken this one; send it again later.",
      "Too many messages wait here already. I have not taken this one; send it again later.",
    ]);
    channel.arrive();
    await hive.engine.settled();
    expect(await told(hive)).toHaveLength(50);
  });

  it("is handed on at once, without the files, when a person stops fetching them; the connector's end stops nothing", async () => {
    const channel = new SlowChannel();
    const hive = await createChannelHive({ channel });
    await channel.put(says("look", { files: [attached("1")] }), says("second"));
    await quiet(hive);
    const [download] = await downloads(hive);
    const address = download?.address ?? "";
    const cancel = (origin: "cli" | "actor") =>
      hive.engine.send(address, { type: "download.cancel" }, { origin });
    expect(await cancel("actor")).toMatchObject({ outcome: "rejected" });
    expect(await cancel("cli")).toMatchObject({ outcome: "handled", state: "handed" });
    channel.arrive();
    await hive.engine.settled();
    expect(await told(hive)).toEqual([
      "look\n\n[file not received: document: fetching it was stopped]",
      "second",
    ]);
    expect(notices(hive)).toEqual(["I did not get the document: fetching it was stopped."]);
  });

  it("is said to be lost when a fault of ours ends who fetches, and /status tells of what is fetched", async () => {
    const channel = new SlowChannel();
    const hive = await createChannelHive({ channel });
    await channel.put(says("look", { files: [attached("1")] }));
    await channel.put(says("/status"));
    await quiet(hive);
    expect(hive.heard()).toEqual([expect.stringContaining("What you sent last is being fetched.")]);
    const [download] = await downloads(hive);
    const address = download?.address ?? "";
    const context = (await hive.engine.get(address))?.context as unknown as DownloadContext;
    const place = { ...context.messages[0]?.place, agent_id: "\ud800" };
    const message = says("x").what;
    const event = { type: "message.brought", place, conversation: "private", message };
    await hive.engine.send(address, event, { origin: "actor" });
    channel.arrive();
    await hive.engine.settled();
    expect(await downloads(hive)).toMatchObject([{ status: "quarantined" }]);
    expect(hive.heard().slice(1)).toEqual([
      "A fault inside statehive kept me from taking this message and what you said after it. Please send it again.",
    ]);
    await channel.put(says("again"));
    await hive.engine.settled();
    expect(await told(hive)).toEqual(["again"]);
  });
});
