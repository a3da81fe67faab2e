import { expect, it } from "vitest";
import { connectorAddress } from "../../../src/actors/channel/channels.ts";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";

/** A channel whose account is another after its token was changed, and that says where it was asked to go on. */
class ManyAccounts extends FakeChannel {
  account = "1";
  readonly askedAfter: (string | null)[] = [];

  override open() {
    return Promise.resolve({ id: this.account, name: `bot_${this.account}` });
  }

  override receive(cursor: string | null, signal: AbortSignal) {
    this.askedAfter.push(cursor);
    return super.receive(cursor, signal);
  }
}

it("goes on where it was with the same account, and from the beginning with another", async () => {
  const channel = new ManyAccounts();
  const { engine } = await createChannelHive({ channel });
  const begin = async () => {
    await engine.send(connectorAddress("tg"), { type: "connector.start" }, { origin: "api" });
    await engine.settled();
  };
  await channel.put(says("hello"));
  await begin();
  expect(channel.askedAfter).toEqual([null, "1", "1"]);
  channel.account = "2";
  await begin();
  expect(channel.askedAfter[3]).toBeNull();
});
