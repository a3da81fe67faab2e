import { describe, expect, it } from "vitest";
import { deliveryTable } from "../../../src/schema/rows/channel-rows.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";

describe("a message that comes in over a channel", () => {
  it("is answered where it came from", async () => {
    const { engine, channel, heard } = await createChannelHive();
    await channel.put(says("hello"));
    await engine.settled();
    expect(heard()).toEqual([expect.stringContaining("offline")]);
    const [row] = await engine.read.select(deliveryTable, { index: "by_seq" });
    expect(row).toMatchObject({ kind: "reply", scope: "1001", state: "delivered", open: 0 });
  });
});
