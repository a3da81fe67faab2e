// A service process for tests: as `statehive serve`, and it can be made to die at its n-th fault point, or at the
// first that is so called.
import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { BroadcastChannel } from "node:worker_threads";
import { readEnvironment } from "../../dist/config/environment.js";
import { runService } from "../../dist/server/run-service.js";

const [home, killAt = "0", leak = "0"] = process.argv.slice(2);
const leakBytes = Number(leak);
const pagesGivenBackMs = 200;
const collecting = new BroadcastChannel("collect");
collecting.unref();
let points = 0;
// A leak to be found: some memory at each fault point, in the heap and as much outside of it.
const leaked = [];
const pointerBytes = 8;

const service = await runService({
  home,
  env: readEnvironment(),
  version: "test",
  writeLog: (line) => process.stderr.write(`${line}\n`),
  faultPoint: (label) => {
    points += 1;
    if (leakBytes > 0)
      leaked.push(Array(leakBytes / pointerBytes).fill(0), Buffer.alloc(leakBytes, 1));
    if (points === Number(killAt) || label === killAt) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`ready ${service.socketPath}\n`);
process.once("SIGTERM", () => {
  process.stdout.write(`points ${points}\n`);
  void service.stop(2_000);
});
if (process.send !== undefined)
  process.on("message", () => void measured().then((now) => process.send(now)));
await service.stopped;
process.exit(0);

async function measured() {
  collecting.postMessage(null);
  globalThis.gc();
  globalThis.gc();
  // V8 gives the pages of what it collected back from other threads, some milliseconds later.
  await setTimeout(pagesGivenBackMs);
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const resources = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const descriptors = readdirSync("/proc/self/fd").length;
  return { rss, heapTotal, heapUsed, external, descriptors, resources };
}
