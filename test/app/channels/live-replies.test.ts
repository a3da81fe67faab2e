import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { createMemoryFiles } from "../../../src/adapters/files/memory-files.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { startLiveReplies } from "../../../src/app/channels/live/live-replies.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import type { Files } from "../../../src/ports/files.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import type { LiveChannel } from "../../../src/ports/channel.ts";
import { previewTable } from "../../../src/schema/rows/channel-rows.ts";
import {
  type ChannelHive,
  type ChannelHiveOptions,
  createChannelHive,
  says,
} from "../../support/channel-hive.ts";
import { memoryDisk } from "../../support/disks.ts";
import { type Asked, heldModel, type HeldModel } from "../../support/held-model.ts";

type Live = ChannelHive & {
  readonly model: HeldModel;
  /** What was shown since it was last asked, but for typing and reactions. */
  news(): string[];
  /** Lets time pass, and what it brings happen. */
  pass(ms: number): Promise<void>;
  /** Sends an update, and waits until the model is asked about it. */
  asks(text: string, saying?: Parameters<typeof says>[1]): Promise<Asked>;
};

const turns = 12;

async function happened(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
}

/** Calls of this kind wait until the gate is opened. */
function gated(channel: FakeChannel, kind: keyof LiveChannel): { open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  channel.admits = async (called) => {
    if (called === kind) await opened;
    return true;
  };
  return { open: () => open() };
}

function textOf(said: object): string {
  return (said as { readonly text?: string }).text ?? "";
}

type Watched = ChannelHiveOptions & {
  /** What the live replies see of the engine. */
  readonly wrap?: (engine: Engine) => Engine;
};

async function watched({ wrap = (engine) => engine, ...options }: Watched = {}): Promise<Live> {
  const model = heldModel();
  const hive = await createChannelHive({ provider: model.provider, ...options });
  const { engine, clock, channel } = hive;
  const stop = startLiveReplies({
    bus: createNewsBus(engine),
    engine: wrap(engine),
    clock,
    channels: (id) => (id === "tg" ? channel : undefined),
    log: silentLog,
  });
  onTestFinished(async () => {
    stop();
    await engine.close();
  });
  let told = 0;
  const quiet: ReadonlySet<keyof LiveChannel> = new Set(["typing", "seen"]);
  return {
    ...hive,
    model,
    news() {
      const fresh = channel.shown.slice(told);
      told = channel.shown.length;
      return fresh
        .filter(({ kind }) => !quiet.has(kind))
        .map(({ kind, said }) => `${kind}: ${textOf(said)}`);
    },
    async pass(ms) {
      await happened();
      clock.advance(ms);
      await happened();
    },
    async asks(text, saying) {
      void channel.put(says(text, saying));
      const asked = await model.next();
      await happened();
      return asked;
    },
  };
}

function shownAs(channel: FakeChannel, kind: keyof LiveChannel): object[] {
  return channel.shown.filter((each) => each.kind === kind).map(({ said }) => said);
}

describe("while an agent works for somebody in a channel", () => {
  it("shows that the message was seen, as soon as it was taken, and nothing for what was refused", async () => {
    const { channel, asks, model } = await watched();
    await channel.put(says("let me in", { from: "6666", update: "90" }));
    const asked = await asks("hello", { update: "91" });
    expect(shownAs(channel, "seen")).toEqual([{ scope: "1001", messageId: "m91" }]);
    asked.says("hi");
    expect(model.asked).toHaveLength(1);
  });

  it("shows that somebody writes, again every 4.5 s, until the reply is there", async () => {
    const { channel, asks, pass, engine } = await watched();
    const asked = await asks("hello");
    const typed = () => shownAs(channel, "typing").length;
    expect(typed()).toBe(1);
    await pass(4_499);
    expect(typed()).toBe(1);
    await pass(1);
    await pass(4_500);
    expect(typed()).toBe(3);
    asked.says("hi");
    await engine.settled();
    await happened();
    expect(channel.messages.at(-1)?.body).toEqual({ kind: "markdown", text: "hi" });
    await pass(60_000);
    expect(typed()).toBe(3);
  });

  it("writes into a draft in private, at most every 0.7 s, and sends no message of it", async () => {
    const { channel, asks, pass, news, engine } = await watched();
    const asked = await asks("hello");
    asked.writes("One");
    await pass(0);
    expect(news()).toEqual(["draft: One"]);
    asked.writes(" two");
    asked.writes(" three");
    await pass(699);
    expect(news()).toEqual([]);
    await pass(1);
    expect(news()).toEqual(["draft: One two three"]);
    asked.says("One two three.");
    await engine.settled();
    await pass(60_000);
    expect(news()).toEqual([]);
    expect(channel.messages.map(({ body }) => body)).toEqual([
      { kind: "markdown", text: "One two three." },
    ]);
    const [first, second] = shownAs(channel, "draft") as { readonly draft: number }[];
    expect(first?.draft).toBeGreaterThan(0);
    expect(second?.draft).toBe(first?.draft);
  });

  it("shows in private that there is thinking, in a draft that can be stopped, if it takes more than a second", async () => {
    const { asks, pass, news } = await watched();
    const asked = await asks("hello");
    await pass(999);
    expect(news()).toEqual([]);
    await pass(1);
    expect(news()).toEqual(["draft: "]);
    asked.writes("One");
    await pass(700);
    expect(news()).toEqual(["draft: One"]);
  });

  it("shows a draft again before it fades", async () => {
    const { asks, pass, news } = await watched();
    const asked = await asks("hello");
    asked.writes("One");
    await pass(0);
    await pass(19_999);
    expect(news()).toEqual(["draft: One"]);
    await pass(1);
    expect(news()).toEqual(["draft: One"]);
    asked.writes(" two");
    await pass(0);
    await pass(700);
    expect(news()).toEqual(["draft: One two"]);
  });

  it("writes a message where drafts are refused, changes it at most once a second, and the reply takes its place", async () => {
    const channel = new FakeChannel();
    channel.admits = (kind) => kind !== "draft";
    const { asks, pass, news, engine, heard } = await watched({ channel });
    const asked = await asks("hello");
    asked.writes("One");
    await pass(0);
    expect(news()).toEqual(["preview: One"]);
    const [row] = await engine.read.select(previewTable, { index: "by_at" });
    expect(row).toMatchObject({ connector_id: "tg", scope: "1001", message_id: "1" });
    asked.writes(" two");
    await pass(999);
    expect(news()).toEqual([]);
    await pass(1);
    expect(news()).toEqual(["changePreview: One two"]);
    asked.says("One two three.");
    await engine.settled();
    await happened();
    expect(heard()).toEqual(["One two three."]);
    expect(channel.edits).toBe(1);
  });

  it("writes a message in a group, more slowly, since what is changed there counts like what is sent", async () => {
    const { asks, pass, news, heard, engine } = await watched();
    const asked = await asks("hello", { chat: "-100" });
    asked.writes("One");
    await pass(0);
    expect(news()).toEqual([]);
    await pass(1_000);
    expect(news()).toEqual(["preview: One"]);
    asked.writes(" two");
    await pass(2_999);
    expect(news()).toEqual([]);
    await pass(1);
    expect(news()).toEqual(["changePreview: One two"]);
    asked.says("Three.");
    await engine.settled();
    expect(heard()).toEqual(["Three."]);
  });

  it("shows nothing of a run that says all at once", async () => {
    const { asks, pass, news, engine, heard } = await watched();
    const asked = await asks("hello", { chat: "-100" });
    asked.writes("Hi.");
    asked.says("Hi.");
    await engine.settled();
    await pass(60_000);
    expect(news()).toEqual([]);
    expect(await engine.read.select(previewTable, { index: "by_at" })).toEqual([]);
    expect(heard()).toEqual(["Hi."]);
  });

  it("leaves a channel alone that shows nothing, longer each time and at last for good, and answers all the same", async () => {
    const channel = new FakeChannel();
    let asked = 0;
    channel.admits = (kind) => {
      if (kind === "preview") asked += 1;
      return false;
    };
    const { asks, pass, engine, heard } = await watched({ channel });
    const call = await asks("hello", { chat: "-100" });
    call.writes("One");
    await pass(1_000);
    expect(asked).toBe(1);
    await pass(3_000);
    expect(asked).toBe(2);
    await pass(3_999);
    expect(asked).toBe(2);
    await pass(1);
    expect(asked).toBe(3);
    await pass(600_000);
    expect(asked).toBe(3);
    call.says("Done.");
    await engine.settled();
    expect(heard()).toEqual(["Done."]);
  });

  it("names the tool that is in use, and begins anew with what the model says then", async () => {
    const files = createMemoryFiles();
    await files.write("a.txt", Buffer.from("x"));
    let read = () => {};
    const mayRead = new Promise<void>((resolve) => (read = resolve));
    const slow: Files = {
      ...files,
      async *chunks(path) {
        await mayRead;
        yield* files.chunks(path);
      },
    };
    const { asks, pass, news, model } = await watched({ files: slow });
    const asked = await asks("read");
    asked.writes("Let me see.");
    await pass(0);
    expect(news()).toEqual(["draft: Let me see."]);
    asked.calls("file_read", { path: "a.txt" });
    await pass(700);
    expect(news()).toEqual(["draft: Let me see.\n\n🔧 `file_read` …"]);
    read();
    const again = await model.next();
    again.writes("It says x.");
    await pass(700);
    expect(news()).toEqual(["draft: It says x."]);
  });

  it("begins anew with each attempt to ask the model", async () => {
    const { asks, pass, news, model, clock } = await watched();
    const asked = await asks("hello");
    asked.writes("One");
    await pass(0);
    asked.fails(new AgentError("model.overloaded", "Busy.", { retryable: true }));
    await happened();
    clock.advance(60_000);
    const again = await model.next();
    news();
    again.writes("Two");
    await pass(700);
    expect(news()).toEqual(["draft: Two"]);
  });
});

describe("a live text", () => {
  it("waits while a person is asked, and nobody is said to write", async () => {
    const { asks, pass, news, channel } = await watched();
    const asked = await asks("write");
    asked.writes("I will write.");
    await pass(0);
    expect(news()).toEqual(["draft: I will write."]);
    asked.calls("file_write", { path: "a.txt", content: "x" });
    await happened();
    const typed = shownAs(channel, "typing").length;
    await pass(60_000);
    expect(news()).toEqual([]);
    expect(shownAs(channel, "typing")).toHaveLength(typed);
  });

  it("goes on after a restart in the message that shows it already", async () => {
    const disk = await memoryDisk(allTables);
    const first = await watched({ store: await disk.open() });
    const asked = await first.asks("hello", { chat: "-100" });
    asked.writes("One");
    await first.pass(1_000);
    expect(first.news()).toEqual(["preview: One"]);
    await disk.crash();
    const second = await watched({ store: await disk.open(), channel: first.channel });
    second.news();
    const again = await second.model.next();
    again.writes("One two");
    await second.pass(1_000);
    expect(second.news()).toEqual(["changePreview: One two"]);
    again.says("One two.");
    await second.engine.settled();
    expect(second.heard()).toEqual(["One two."]);
  });

  it("that comes late is not left beside the reply", async () => {
    const channel = new FakeChannel();
    const gate = gated(channel, "preview");
    const { asks, pass, engine, heard } = await watched({ channel });
    const asked = await asks("hello", { chat: "-100" });
    asked.writes("One");
    await pass(1_000);
    asked.says("One two.");
    await engine.settled();
    await happened();
    expect(heard()).toEqual(["One two."]);
    gate.open();
    await happened();
    expect(heard()).toEqual(["One two.", "(The answer is below.)"]);
  });

  it("that comes late does not stay over the reply", async () => {
    const channel = new FakeChannel();
    const gate = gated(channel, "changePreview");
    const { asks, pass, engine, heard } = await watched({ channel });
    const asked = await asks("hello", { chat: "-100" });
    asked.writes("One");
    await pass(1_000);
    asked.writes(" two");
    await pass(3_000);
    asked.says("One two.");
    await engine.settled();
    await happened();
    expect(heard()).toEqual(["One two."]);
    gate.open();
    await happened();
    expect(heard()).toEqual(["One two."]);
    expect(channel.shown.at(-1)).toMatchObject({ kind: "changePreview" });
    expect(channel.edits).toBe(2);
  });

  it("ends with its run, however slowly the channel takes it", async () => {
    const channel = new FakeChannel();
    const gate = gated(channel, "draft");
    const { asks, pass, news, engine } = await watched({ channel });
    const asked = await asks("hello");
    asked.writes("One");
    await pass(0);
    asked.writes(" two");
    asked.says("One two.");
    await engine.settled();
    gate.open();
    await pass(60_000);
    expect(news()).toEqual(["draft: One"]);
  });

  it("is not shown where its message can not be kept, and the reply comes all the same", async () => {
    const channel = new FakeChannel();
    let isBroken = false;
    const { asks, pass, news, engine, heard } = await watched({
      channel,
      wrap: (whole) => ({
        ...whole,
        write: (writes) =>
          isBroken
            ? Promise.reject(new AgentError("store.unavailable", "no"))
            : whole.write(writes),
      }),
    });
    const asked = await asks("hello", { chat: "-100" });
    isBroken = true;
    asked.writes("One");
    await pass(1_000);
    asked.writes(" two");
    await pass(60_000);
    expect(news()).toEqual(["preview: One"]);
    asked.says("One two.");
    await engine.settled();
    await happened();
    expect(heard()).toEqual(["(The answer is below.)", "One two."]);
  });
});

describe("what many people are shown", () => {
  it("holds nobody up where the channel never answers", async () => {
    const channel = new FakeChannel();
    channel.admits = () => new Promise(() => {});
    const { asks, pass, engine, heard } = await watched({ channel });
    const asked = await asks("hello");
    asked.writes("One");
    await pass(60_000);
    asked.says("One.");
    await engine.settled();
    expect(heard()).toEqual(["One."]);
  });

  it("is kept apart: two who write in one group have each their own message", async () => {
    const { asks, pass, news } = await watched();
    const one = await asks("hello", { chat: "-100", from: "1001" });
    const other = await asks("hi", { chat: "-100", from: "1002" });
    one.writes("To one");
    other.writes("To the other");
    await pass(1_000);
    expect(news().toSorted()).toEqual(["preview: To one", "preview: To the other"]);
  });

  it("says nothing of conversations at this machine", async () => {
    const { say, model, channel } = await watched();
    await say("hello");
    (await model.next()).writes("hi");
    await happened();
    expect(channel.shown).toEqual([]);
  });
});
