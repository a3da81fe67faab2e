import { expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { sessionKey } from "../../../src/actors/session-key.ts";
import { createChannelHive, testSettings } from "../../support/channel-hive.ts";
import { decide, reached, runs, tell } from "../hive-watch.ts";
import {
  definitionOf,
  hour,
  makeSchedule,
  minute,
  pass,
  scheduleNow,
  tellSchedule,
} from "./schedule-support.ts";

const clockAtNoon = () => createSimulatedClock(Date.UTC(2026, 10, 22, 12));
const write = 'call file_write {"path":"a.txt","content":"hi"}';

const inChat = sessionKey({
  channel_type: "telegram",
  connector_id: "tg",
  conversation_scope: "1001",
  user_scope: "1001",
  agent_id: "main",
});

it("sends the answer to the channel that its owner named, each time once", async () => {
  const hive = await createChannelHive({ clock: clockAtNoon() });
  const deliver = { connector: "tg", scope: "-100/7" };
  await makeSchedule(hive, definitionOf("0 * * * *", { deliver }));
  await pass(hive, 2 * hour);
  const [run] = await runs(hive);
  expect(hive.heard()).toEqual([run?.reply, run?.reply]);
  expect(hive.channel.messages.map(({ scope }) => scope)).toEqual(["-100/7", "-100/7"]);
});

it("begins each time afresh, in a session of its own that closes a minute later", async () => {
  const hive = await createChannelHive({ clock: clockAtNoon() });
  await makeSchedule(hive, definitionOf("0 * * * *"));
  const closed = reached(hive, "session", "closed");
  await pass(hive, hour + minute);
  await closed;
  await pass(hive, hour);
  const sessions = (await runs(hive)).map(({ session_id }) => session_id);
  expect(new Set(sessions).size).toBe(2);
});

it("speaks in the conversation that it was made in, and no more once its person is turned out", async () => {
  const hive = await createChannelHive({ clock: clockAtNoon() });
  await makeSchedule(hive, definitionOf("0 * * * *", { session_key: inChat }));
  await pass(hive, hour);
  const [run] = await runs(hive);
  expect(hive.heard()).toEqual([run?.reply]);
  expect(run?.address).toContain(`session/${inChat}/run/`);

  const doorway = { ...testSettings.doorway, allow_users: ["1002"] };
  const strict = await createChannelHive({
    clock: clockAtNoon(),
    settings: { ...testSettings, doorway },
  });
  await makeSchedule(strict, definitionOf("0 * * * *", { session_key: inChat }));
  await pass(strict, hour);
  expect(await runs(strict)).toEqual([]);
  expect(await scheduleNow(strict)).toMatchObject({
    state: "waiting",
    last_outcome: "refused",
    last_detail: "1001 is let in no more at tg",
    failures: 1,
  });
});

it("waits its turn in a busy conversation, and learns within five minutes that this one was closed", async () => {
  const hive = await createChannelHive({ clock: clockAtNoon() });
  await hive.say(write, inChat);
  await hive.engine.settled();
  await makeSchedule(hive, definitionOf("0 * * * *", { session_key: inChat }));
  await tellSchedule(hive, "schedule.run");
  await pass(hive, 10 * minute);
  expect(await scheduleNow(hive)).toMatchObject({ state: "running" });
  await tell(hive, "session", "session.cancel");
  await hive.engine.settled();
  hive.clock.advance(5 * minute);
  await hive.engine.settled();
  expect(await scheduleNow(hive)).toMatchObject({ state: "waiting", last_outcome: "dropped" });
});

it("taints the conversation with what the agent had read that made it, and narrows the task", async () => {
  const hive = await createChannelHive({ clock: clockAtNoon() });
  const trust = { private: ["file:diary.md"], untrusted: ["web:evil.example"] };
  const boundary = ["fs.read:notes/**"];
  const text = write;
  await makeSchedule(
    hive,
    definitionOf("0 * * * *", { session_key: inChat, trust, boundary, text }),
  );
  await pass(hive, hour);
  const session = await hive.engine.get(`session/${inChat}`);
  expect(session?.context).toMatchObject({ trust, tags: ["tainted"] });
  expect(await runs(hive)).toMatchObject([{ state: "done" }]);
  await expect(decide(hive)).rejects.toThrow("no approval is pending");
});
