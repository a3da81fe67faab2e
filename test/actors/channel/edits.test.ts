import { describe, expect, it } from "vitest";
import type { InboundUpdate } from "../../../src/schema/inbound.ts";
import { messageTable } from "../../../src/schema/rows/session-rows.ts";
import { heldModel } from "../../support/held-model.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";

/** The same message as it reads later. */
function edited(said: InboundUpdate, text: string): InboundUpdate {
  if (said.what.kind !== "message") throw new Error("only messages are edited");
  return { ...said, update_id: `${said.update_id}e`, what: { ...said.what, kind: "edit", text } };
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
  return { ...hive, model, said };
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
});
