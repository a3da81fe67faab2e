import { createService } from "../../src/app/service.ts";
import { makeHomeDirectories } from "../../src/config/home.ts";
import { answerParent } from "./child.ts";

/** A whole service with one Telegram bot, and the offline model; it tells what CPU it has used. */

export type Used = { readonly cpuMs: number };

const [home = "", token = ""] = process.argv.slice(2);
makeHomeDirectories(home, ["main"]);
await createService({ home, env: { TG_TOKEN: token }, version: "bench", writeLog: () => {} });

answerParent(async () => {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000 } satisfies Used;
});
