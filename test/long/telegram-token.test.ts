import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startServiceProcess } from "../support/service-process.ts";
import { createTelegramHome } from "../support/telegram-home.ts";
import type { FakeBot } from "../support/telegram-server.ts";

it("answers again after a token that Telegram refused was set right, without a restart", async () => {
  const home = await createTelegramHome({ bots: [{ id: "tg", users: [1001] }] });
  onTestFinished(home.close);
  const [bot] = home.bots as readonly [FakeBot];
  const main = join(home.home, "config/main.yaml");
  const token = join(home.home, "token");
  writeFileSync(main, readFileSync(main, "utf8").replace("env:TG_0_TOKEN", "file:token"));
  writeFileSync(token, "7999:revoked\n", { mode: 0o600 });
  const service = await startServiceProcess(home);
  onTestFinished(() => service.kill());
  const connection = await service.connect();
  const state = async () => (await connection.call("connectors.list", {}))[0]?.state;
  while ((await state()) !== "unauthorized")
    await new Promise((resolve) => setTimeout(resolve, 20));
  bot.say("w1");
  expect(bot.calls).toEqual([]);

  writeFileSync(token, `${bot.token}\n`);
  await connection.call("config.reload", {});
  await bot.message("answered w1");
  expect(await state()).toBe("polling");
  connection.close();
  writeFileSync(token, "");
});
