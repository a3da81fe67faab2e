import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { rowsIn } from "../support/database-rows.ts";
import { startServiceProcess } from "../support/service-process.ts";
import { createTelegramHome } from "../support/telegram-home.ts";
import { whenQuiet } from "../support/telegram-records.ts";
import type { FakeBot } from "../support/telegram-server.ts";

/** Two bots with an agent each, in one group with topics: the same people, the same numbers, and nothing of one is the other's. */

const ann = 1001;
const bob = 1002;
const group = -100;
const forum = (topic: number) => ({ chat: group, topic });

const routing = `default_agent: main
bindings:
  - { match: { connector_id: b }, agent: other }
`;
const otherAgent = `id: other
tools: { allow: [file_read, file_list, file_write, ask_user] }
capabilities: { boundary: ["fs.read:**", "fs.write:**"], grant: ["fs.read:**"], deny: [] }
`;

async function begin() {
  const groups = [group];
  const more = "    agents: [main, other]\n";
  const home = await createTelegramHome({
    bots: [
      { id: "a", users: [ann, bob], approvers: [ann], groups, more },
      { id: "b", users: [ann, bob], approvers: [bob], groups, more },
    ],
  });
  onTestFinished(home.close);
  const put = (path: string, text: string) =>
    writeFileSync(join(home.home, path), text, { mode: 0o600 });
  put("config/routing.yaml", routing);
  put("config/agents.d/other.yaml", otherAgent);
  mkdirSync(join(home.home, "prompts/other"), { mode: 0o700 });
  put("prompts/other/system.md", "You do other jobs.\n");
  const service = await startServiceProcess(home);
  onTestFinished(() => service.kill());
  const [a, b] = home.bots as readonly [FakeBot, FakeBot];
  return { home, a, b };
}

const say = (bot: FakeBot, text: string, from: number, topic: number) =>
  bot.say(`@${bot.username} ${text}`, { from, in: forum(topic) });

/** The card that asks about it, while it is open. */
const card = (bot: FakeBot, token: string) =>
  bot.message((one) => one.text.includes(`${token}.txt`) && one.buttons.length > 0);

it("keeps sessions, grants, questions and chosen agents of each apart", async () => {
  const { home, a, b } = await begin();

  say(a, "w1 write", ann, 50);
  say(b, "w2 write", ann, 50);
  const ofA = await card(a, "w1");
  const ofB = await card(b, "w2");
  expect(ofB.text).toContain("other");

  const forged = ofB.buttons.flat()[0]?.data ?? "";
  const wrong = [
    a.tap(ofA, "once", { from: ann, data: forged }),
    a.tap(ofA, "once", { from: bob }),
    b.tap(ofB, "once", { from: ann }),
  ];
  await a.until(() => a.unconfirmed.length === 0 && b.unconfirmed.length === 0);
  for (const { tap_id } of wrong.slice(0, 2))
    await a.until(() => a.tapAnswer(tap_id) !== undefined);
  expect(await rowsIn(home.home, "SELECT state FROM approvals")).toEqual([
    { state: "pending" },
    { state: "pending" },
  ]);

  a.tap(ofA, "session", { from: ann });
  b.tap(ofB, "once", { from: bob });
  await a.message("answered w1");
  await b.message("answered w2");

  say(a, "w1 write", ann, 50);
  await a.until(() => a.sent.filter(({ text }) => text.includes("answered w1")).length === 2);
  const asks = [
    { bot: a, token: "w1", from: ann, topic: 51, why: "another topic" },
    { bot: a, token: "w1", from: bob, topic: 50, why: "another person" },
    { bot: b, token: "w1", from: ann, topic: 50, why: "another bot" },
  ];
  for (const { bot, token, from, topic, why } of asks) {
    const before = bot.sent.length;
    say(bot, `${token} write`, from, topic);
    const asked = await bot.message((one) => one.buttons.length > 0, { from: before, what: why });
    expect(asked.thread_id).toBe(topic);
    bot.tap(asked, "Deny", { from: bot === a ? ann : bob });
    await bot.message("answered w1", { from: before, what: why });
  }

  say(a, "/agent other", ann, 50);
  await a.message((one) => one.text.includes("other") && one.buttons.length === 0);
  for (const [bot, from, topic, token] of [
    [a, ann, 50, "w11"],
    [a, ann, 51, "w12"],
    [a, bob, 50, "w13"],
    [b, ann, 50, "w14"],
  ] as const) {
    say(bot, token, from, topic);
    await bot.message(`answered ${token}`);
  }
  await whenQuiet(home);
  const told = await rowsIn<{ text: string; agent_id: string }>(
    home.home,
    "SELECT text, agent_id FROM tasks ORDER BY created_at",
  );
  const answeredBy = (token: string) =>
    told.filter(({ text }) => text.includes(token)).map(({ agent_id }) => agent_id);
  expect(["w11", "w12", "w13", "w14"].map(answeredBy)).toEqual([
    ["other"],
    ["main"],
    ["main"],
    ["other"],
  ]);
  const sessions = await rowsIn<{ address: string }>(
    home.home,
    "SELECT address FROM actors WHERE machine = 'session' ORDER BY address",
  );
  expect(sessions.map(({ address }) => address)).toEqual([
    "session/telegram:a:-100%2F50:1001:main",
    "session/telegram:a:-100%2F50:1001:other",
    "session/telegram:a:-100%2F50:1002:main",
    "session/telegram:a:-100%2F51:1001:main",
    "session/telegram:b:-100%2F50:1001:other",
  ]);
});
