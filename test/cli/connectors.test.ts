import { expect, it, onTestFinished } from "vitest";
import { homeWith } from "../config/homes.ts";
import { startTelegramServer } from "../support/telegram-server.ts";
import { run } from "./support/fake-terminal.ts";

/** Without a service: `connectors test` asks the channels itself, and `doctor` looks at what is configured. */

const token = "8001:AAE-token-of-tg_main-0123456789abcd";

const main = (url: string, more = "") =>
  `connectors:\n  - { id: tg_main, type: telegram, token: env:TG_TOKEN, api_root: ${url}${more} }\n`;

async function house(more?: string) {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const bot = telegram.bot(token);
  const home = homeWith({ "config/main.yaml": main(telegram.url, more) });
  const say = (args: readonly string[], env = { TG_TOKEN: token }) =>
    run([...args, "--home", home], { env });
  return { telegram, bot, say };
}

it("asks a channel who it is, and changes nothing there", async () => {
  const { bot, say } = await house();
  const { code, out } = await say(["connectors", "test", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    data: [{ id: "tg_main", type: "telegram", state: "answers", error: null }],
  });
  expect(bot.calls.map(({ method }) => method)).toEqual(["getMe"]);
  expect((await say(["connectors", "test"])).out).toMatch(/^tg_main is \S+ \(\d+ ms\)\n$/);
});

it("exits with 1 for a refused token, of which it shows nothing, and with 75 while nobody answers", async () => {
  const { telegram, say } = await house();
  const other = "8001:AAE-another-token-0123456789abcdefg";
  const refused = await say(["connectors", "test", "tg_main"], { TG_TOKEN: other });
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining("channel.unauthorized") });
  expect(refused.out + refused.err).not.toContain("another-token");
  const unset = await say(["connectors", "test"], { TG_TOKEN: "" });
  expect(unset).toMatchObject({ code: 1, out: expect.stringContaining("env:TG_TOKEN is not set") });
  await telegram.goDown();
  const down = await say(["connectors", "test"]);
  expect(down).toMatchObject({ code: 75, out: expect.stringContaining("channel.unreachable") });
  expect((await say(["connectors", "test", "nobody"])).code).toBe(6);
});

it("doctor says which token is missing or odd, who may write and approve, and online whether it answers", async () => {
  const findings = async (env: { TG_TOKEN: string }, more?: string, args: string[] = []) => {
    const { say } = await house(more);
    const { out } = await say(["doctor", "--json", ...args], env);
    const { data } = JSON.parse(out) as {
      data: { findings: { area: string; state: string; found: string }[] };
    };
    return data.findings
      .filter(({ area }) => area === "connectors")
      .map(({ state, found }) => `${state} ${found}`);
  };
  expect(await findings({ TG_TOKEN: "" })).toEqual([
    expect.stringMatching(/^warn there is no token: env:TG_TOKEN is not set here/),
    expect.stringMatching(/^warn `allow_users` is empty: only those may write whom you let in/),
    expect.stringMatching(/^warn `approvers` is empty/),
  ]);
  const people = ", allow_users: [1], approvers: [1]";
  expect(await findings({ TG_TOKEN: token }, people, ["--online"])).toEqual([
    "ok env:TG_TOKEN is set",
    expect.stringMatching(/^ok answers as \S+ in \d+ ms$/),
  ]);
});
