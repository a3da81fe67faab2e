// A service process for tests: as `statehive serve`, and it can be made to die at its n-th fault point.
import { readEnvironment } from "../../dist/config/environment.js";
import { runService } from "../../dist/server/run-service.js";

const [home, killAt = "0"] = process.argv.slice(2);
let points = 0;

const service = await runService({
  home,
  env: readEnvironment(),
  version: "test",
  writeLog: (line) => process.stderr.write(`${line}\n`),
  faultPoint: () => {
    points += 1;
    if (points === Number(killAt)) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write(`ready ${service.socketPath}\n`);
process.once("SIGTERM", () => {
  process.stdout.write(`points ${points}\n`);
  void service.stop(2_000);
});
await service.stopped;
process.exit(0);
