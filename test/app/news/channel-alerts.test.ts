import { expect, it } from "vitest";
import { FakeChannel } from "../../../src/adapters/channel/fake-channel.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { attachSidecar } from "../../../src/app/news/sidecar.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { createChannelHive, says } from "../../support/channel-hive.ts";

it("alarms about who asks to be let in, what did not arrive, and a connector that has stopped", async () => {
  const channel = new FakeChannel();
  const hive = await createChannelHive({ channel });
  const { engine, clock } = hive;
  const bus = createNewsBus(engine);
  const { alerts } = attachSidecar({ bus, log: silentLog, clock, level: "info" });
  await channel.put(says("let me in", { from: "7007" }));
  await engine.settled();
  channel.sendFaults.push({ kind: "lose_answer" });
  await channel.put(says("hello"));
  await engine.settled();
  channel.receiveFaults.push(new AgentError("channel.unauthorized", "401: Unauthorized"));
  void channel.put(says("anybody there?"));
  const told = () => alerts.list().map(({ kind, message }) => `${kind} ${message}`);
  await expect
    .poll(() => told().toSorted())
    .toEqual([
      "connector.stopped tg is unauthorized: 401: Unauthorized",
      expect.stringMatching(/^delivery.failed the delivery d\d+ is unknown: No answer came.$/),
      "pairing.requested 7007 asks to be let in at tg: `statehive pair list`",
    ]);
});

it("says which number a group has that became a supergroup, to the owner and to who may decide", async () => {
  const channel = new FakeChannel();
  const hive = await createChannelHive({ channel });
  const { engine, clock } = hive;
  const { alerts } = attachSidecar({
    bus: createNewsBus(engine),
    log: silentLog,
    clock,
    level: "info",
  });
  const said = says("", { from: "1002", chat: "-100" });
  await channel.put({ ...said, what: { kind: "moved", to: "-1009" } });
  await engine.settled();
  await new Promise((resolve) => setImmediate(resolve));
  const word =
    "The group -100 of tg has the number -1009 now. To be heard there, put -1009 in the place of -100 under `groups`, then `statehive config reload`.";
  expect(alerts.list()).toMatchObject([{ kind: "group.moved", message: word }]);
  expect(channel.messages).toMatchObject([{ scope: "1001", body: { text: word } }]);
});
