import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chatThroughKill } from "./chat-through-kill.ts";
import { rememberAndFind } from "./remember.ts";
import { say } from "./say.ts";
import { startService } from "./service.ts";

/** A message, a tool call, an approval, a kill -9 in between, and the run that goes on; then a memory, written and found.
 *  No key, no network, no terminal. */

const home = mkdtempSync(join(tmpdir(), "statehive-demo-"));
say(`A new home: ${home}`);
const services = await startService(home);
try {
  const file = await chatThroughKill(services, home);
  say(`The file is there: ${file}`);
  await rememberAndFind(services.connection);
} finally {
  await services.stop();
  rmSync(home, { recursive: true, force: true });
}
say("Done. `npm start` does the same with you at the keyboard.");
