import { describe, expect, it } from "vitest";
import { approvalTable } from "../../../src/schema/rows/permission-rows.ts";
import { createChannelHive } from "../../support/channel-hive.ts";
import { place } from "../../support/hive.ts";

const asking = (connector: string) =>
  `call message_send ${JSON.stringify({ connector, scope: "1002", text: "The backup is done." })}`;

const boundary = ["message.send:*"];

describe("a message that an agent sends by itself", () => {
  it("goes out once, after a person has allowed it", async () => {
    const { engine, say, heard } = await createChannelHive({ policy: { boundary } });
    await say(asking("tg"));
    await engine.settled();
    expect(heard()).toEqual([]);
    const [asked] = await engine.read.select(approvalTable, {
      index: "by_state",
      equals: ["pending"],
    });
    expect(asked).toMatchObject({
      summary: "Send a message to tg/1002: The backup is done.",
      requested: ["message.send:tg/1002"],
    });
    const event = { type: "approval.decide", decision: "approve", scope: "once", by: "ann" };
    await engine.send(asked?.address ?? "", event, { origin: "cli" });
    await engine.settled();
    expect(heard()).toEqual(["The backup is done."]);
  });

  it("is told to be impossible over a connector that does not exist", async () => {
    const grant = ["message.send:nowhere/1002"];
    const { engine, say, lastRun } = await createChannelHive({ policy: { boundary, grant } });
    await say(asking("nowhere"), place);
    await engine.settled();
    expect((await lastRun())?.reply).toContain("No connector is called nowhere");
  });

  it("is refused to an agent whose boundary does not name it", async () => {
    const { engine, say, lastRun, heard } = await createChannelHive();
    await say(asking("tg"));
    await engine.settled();
    expect((await lastRun())?.reply).toContain("message.send");
    expect(heard()).toEqual([]);
  });
});
