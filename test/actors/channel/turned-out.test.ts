import { expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { endTurnedOut } from "../../../src/app/channels/turned-out.ts";
import { actorTable } from "../../../src/engine/tables.ts";
import { pairingTable } from "../../../src/schema/rows/channel-rows.ts";
import { runTable } from "../../../src/schema/rows/run-rows.ts";
import { attached, createChannelHive, says, testSettings } from "../../support/channel-hive.ts";
import { heldModel } from "../../support/held-model.ts";
import { agentWith, fixedAgents } from "../test-agents.ts";

/** Who was let in, and is turned out again while something of theirs is under way. */

const guest = { from: "7007" };

async function openGuestHouse() {
  const model = heldModel();
  const allow_users = [...testSettings.doorway.allow_users];
  const settings = { ...testSettings, doorway: { ...testSettings.doorway, allow_users } };
  const agent = agentWith({ model: () => ({ provider: model.provider, model: "held" }) });
  const channel = new SlowChannel();
  const hive = await createChannelHive({ channel, settings, agents: fixedAgents(agent) });
  const { engine } = hive;
  const ownerSays = async (event: { readonly type: string; readonly [key: string]: string }) => {
    await engine.send("connector/tg", { ...event, by: "ann" }, { origin: "cli" });
  };
  return {
    ...hive,
    channel,
    model,
    allow: (user: string) => allow_users.push(user),
    dismiss: (user: string) => allow_users.splice(allow_users.indexOf(user), 1),
    async letIn() {
      await channel.put(says("hello", guest));
      const [pairing] = await engine.read.select(pairingTable, { index: "by_created" });
      await ownerSays({ type: "pairing.approve", code: pairing?.code ?? "" });
    },
    turnOut: () => ownerSays({ type: "pairing.revoke", user_scope: "7007" }),
    runs: async () =>
      (await engine.read.select(runTable, { index: "by_started" })).map(({ state }) => state),
  };
}

/** Gives a file out when it is released. */
class SlowChannel extends FakeChannel {
  release: () => void = () => {};
  override async fetch(...wanted: Parameters<FakeChannel["fetch"]>) {
    await new Promise<void>((resolve) => (this.release = resolve));
    return super.fetch(...wanted);
  }
}

it("ends what runs and what waits, and tells no answer", async () => {
  const { letIn, turnOut, runs, heard, ...hive } = await openGuestHouse();
  await letIn();
  await hive.channel.put(says("long work", guest));
  await hive.model.next();
  await hive.channel.put(says("and this", guest));
  await turnOut();
  await hive.engine.settled();
  expect(await runs()).toEqual(["cancelled"]);
  expect(hive.model.asked).toHaveLength(1);
  const open = { index: "by_version", equals: ["active"], from: "session", upTo: "session" };
  expect(await hive.engine.read.select(actorTable, open)).toEqual([]);
  expect(heard()).toContain("You are not let in any more.");
});

it("hears no message whose file is still on its way", async () => {
  const { letIn, turnOut, runs, ...hive } = await openGuestHouse();
  await letIn();
  hive.channel.files.set("f1", { bytes: new Uint8Array(3), mediaType: null });
  await hive.channel.put(says("look", { ...guest, files: [attached("f1")] }));
  await turnOut();
  hive.channel.release();
  await hive.engine.settled();
  expect(hive.channel.fetched).toEqual(["f1"]);
  expect(await runs()).toEqual([]);
});

it("leaves alone whom the configuration lets in as well", async () => {
  const house = await openGuestHouse();
  await house.letIn();
  await house.channel.put(says("long work", guest));
  const asked = await house.model.next();
  house.allow("7007");
  await house.turnOut();
  asked.says("Done.");
  await house.engine.settled();
  expect(await house.runs()).toEqual(["done"]);
});

it("also ends it for whom the configuration lets in no more, and for nobody else", async () => {
  const house = await openGuestHouse();
  await house.letIn();
  for (const from of ["1001", "1002", "7007"]) {
    await house.channel.put(says("long work", { from }));
    await house.model.next();
  }
  house.dismiss("1002");
  await endTurnedOut(house.engine, house.channels);
  for (const asked of house.model.asked) asked.says("Done.");
  await house.engine.settled();
  expect(await house.runs()).toEqual(["done", "cancelled", "done"]);
});
