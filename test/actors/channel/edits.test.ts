import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { InboundUpdate } from "../../../src/schema/inbound.ts";
import { inboxTable, messageTable } from "../../../src/schema/rows/session-rows.ts";
import { heldModel } from "../../support/held-model.ts";
import { attached, createChannelHive, says } from "../../support/channel-hive.ts";

/** The same message as it reads later. */
function edited(said: InboundUpdate, text: string): InboundUpdate {
  if (said.what.kind !== "message") throw new Error("only messages are edited");
  return { ...said, update_id: `${said.update_id}e`, what: { ...said.what, kind: "edit", text } };
}

function addressedNow(update: InboundUpdate): InboundUpdate {
  if (update.what.kind !== "edit") throw new Error("it is no edit");
  return { ...update, what: { ...update.what, is_addressed: true } };
}

async function world() {
  const model = heldModel();
  const hive = await createChannelHive({ provider: model.provider });
  const said = async () => {
    const messages = await hive.engine.read.select(messageTable, { index: "key" });
    return messages
      .filter(({ role }) => role === "user")
      .flatMap(({ content }) => content.map((block) => ("text" in block ? block.text : "")));
  };
  const waiting = async (count: number) => {
    const queued = () => hive.engine.read.select(inboxTable, { index: "key" });
    while ((await queued()).length < count) await setImmediate();
  };
  return { ...hive, model, said, waiting };
}

describe("a message that its writer changes", () => {
  it("is answered as it reads now, while it waits for its turn", async () => {
    const { channel, model, said, engine } = await world();
    const second = says("buy melk");
    await channel.put(says("a long task"));
    await channel.put(second);
    await channel.put(edited(second, "buy milk"));
    (await model.next()).says("Done.");
    (await model.next()).says("Bought.");
    await engine.settled();
    expect(await said()).toEqual(["a long task", "buy milk"]);
  });

  it("keeps its files when the words beside them change, or go", async () => {
    const { channel, model, said, waiting, engine } = await world();
    const photo = [attached("p", { kind: "photo" })];
    channel.files.set("p", { bytes: new Uint8Array(5), mediaType: "image/jpeg" });
    const [first, second] = [says("our gardn", { files: photo }), says("x", { files: photo })];
    await channel.put(says("a long task"));
    await channel.put(first);
    await channel.put(second);
    await waiting(2);
    await channel.put(edited(first, "our garden"), edited(second, ""));
    for (const answer of ["Done.", "Nice.", "Nice too."]) (await model.next()).says(answer);
    await engine.settled();
    expect(await said()).toEqual([
      "a long task",
      expect.stringMatching(/^our garden\n\n\[file: inbox\/\S+, photo, image\/jpeg, 5 B\]$/),
      expect.stringMatching(/^\[file: inbox\/\S+, photo, image\/jpeg, 5 B\]$/),
    ]);
  });

  it("is told with what it answers as that was, whatever others have made of it since", async () => {
    const { channel, model, said, engine } = await world();
    const quoting = (update: InboundUpdate, text: string): InboundUpdate => {
      const { what } = update;
      if (what.kind !== "message" && what.kind !== "edit") throw new Error("says nothing");
      return { ...update, what: { ...what, quoted: { text, is_own: false } } };
    };
    const [first, second] = [says("is that sp?"), says("whose is thes?")];
    await channel.put(says("a long task"));
    await channel.put(quoting(first, "Ship it"), quoting(second, ""));
    await channel.put(
      quoting(edited(first, "is that so?"), "Send me the notes"),
      quoting(edited(second, "whose is this?"), "Send me the notes"),
    );
    for (const answer of ["Done.", "Yes.", "Theirs."]) (await model.next()).says(answer);
    await engine.settled();
    expect(await said()).toEqual([
      "a long task",
      "[The person answers somebody else's message:]\n> Ship it\nis that so?",
      "[The person answers somebody else's message, whose files come with this one.]\nwhose is this?",
    ]);
  });

  it("is told that it was taken already while its files are fetched", async () => {
    const { channel, clock, heard, engine } = await world();
    const photo = says("our gardn", { files: [attached("p", { kind: "photo" })], album: "a" });
    await channel.put(photo);
    clock.advance(100);
    await channel.put(edited(photo, "our garden"));
    await engine.settled();
    expect(heard()).toEqual([
      "I have read that message already; send what you changed as a new one.",
    ]);
  });

  it("was read already while it is being answered: its writer hears so, and nothing changes", async () => {
    const { channel, model, said, heard, engine } = await world();
    const first = says("buy melk");
    await channel.put(first);
    await channel.put(edited(first, "buy milk"));
    (await model.next()).says("Bought.");
    await engine.settled();
    expect(await said()).toEqual(["buy melk"]);
    expect(heard()).toEqual([
      "I have read that message already; send what you changed as a new one.",
      "Bought.",
    ]);
  });

  it("costs no word where nothing of it has changed, whatever the channel says", async () => {
    const { channel, model, heard, engine } = await world();
    const photo = [attached("p", { kind: "photo" })];
    channel.files.set("p", { bytes: new Uint8Array(5), mediaType: "image/jpeg" });
    const first = says("look: example.com", { files: photo });
    await channel.put(first);
    const answer = await model.next();
    await channel.put(edited(first, "look: example.com"));
    answer.says("Seen.");
    await engine.settled();
    expect(heard()).toEqual(["Seen."]);
  });

  it("changes nothing after it was answered, and costs no word", async () => {
    const { channel, model, said, heard, engine } = await world();
    const first = says("buy melk");
    await channel.put(first);
    (await model.next()).says("Bought.");
    await engine.settled();
    await channel.put(edited(first, "buy milk"));
    await engine.settled();
    expect([await said(), heard().length]).toEqual([["buy melk"], 1]);
  });

  it("is no message where nothing was said before", async () => {
    const { channel, said, engine } = await world();
    await channel.put(edited(says("never sent"), "buy milk"));
    await engine.settled();
    expect(await said()).toEqual([]);
  });

  it("is heard when it names the bot in a group at last, once, also where the bot was not shown it before", async () => {
    const { channel, model, said, engine } = await world();
    for (const isShown of [true, false]) {
      const unnamed = says("what is the time?", { chat: "-100", addressed: false });
      const named = (text: string) => addressedNow(edited(unnamed, text));
      if (isShown) await channel.put(unnamed);
      await channel.put(named("the time?"));
      const answer = await model.next();
      await channel.put({ ...named("the time?"), update_id: `${unnamed.update_id}again` });
      answer.says("Noon.");
      await engine.settled();
    }
    expect(await said()).toEqual(["the time?", "the time?"]);
  });
});
