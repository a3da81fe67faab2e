import { describe, expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createTakeUpdates } from "../../../src/app/channels/take-updates.ts";
import { drainRoot, startRoot } from "../../../src/app/root.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { AgentError, type ErrorCode } from "../../../src/schema/errors.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";

async function called() {
  const hive = await createChannelHive({ channel: new FakeChannel({ intake: "webhook" }) });
  await startRoot(hive.engine);
  return { ...hive, take: createTakeUpdates(hive.engine) };
}

describe("what others bring to a connector", () => {
  it("is taken when it is committed, and is answered once", async () => {
    const { take, engine, heard } = await called();
    const update = says("hello");
    expect(await take("tg", [update])).toBe("taken");
    expect(await take("tg", [update])).toBe("taken");
    await engine.settled();
    expect(heard()).toHaveLength(1);
  });

  it("is to come again while the service stops", async () => {
    const { take, engine, heard } = await called();
    await drainRoot(engine, silentLog);
    expect(await take("tg", [says("hello")])).toBe("busy");
    await engine.settled();
    expect(heard()).toEqual([]);
  });

  it("is to come again while the connector is stopped, or not there", async () => {
    const { take, engine } = await called();
    await engine.send("connector/tg", { type: "connector.stop" }, { origin: "api" });
    expect(await take("tg", [says("hello")])).toBe("busy");
    expect(await take("other", [says("hello")])).toBe("busy");
    await engine.send("connector/tg", { type: "connector.start" }, { origin: "api" });
    expect(await take("tg", [says("hello")])).toBe("taken");
  });

  it("is never taken where it has no form that is known", async () => {
    const { take } = await called();
    const update = { ...says("hello"), update_id: "" };
    expect(await take("tg", [update])).toBe("refused");
  });

  it.each<[ErrorCode, string]>([
    ["store.unavailable", "busy"],
    ["mailbox.full", "busy"],
    ["engine.closed", "busy"],
  ])("is to come again where it meets %s", async (code, taking) => {
    const { engine } = await called();
    const send: Engine["send"] = () => Promise.reject(new AgentError(code, "Not now."));
    expect(await createTakeUpdates({ read: engine.read, send })("tg", [says("hello")])).toBe(
      taking,
    );
  });
});
