import { acquireOwnerLock } from "../../src/adapters/engine/libsql-lock.ts";
import { AgentError } from "../../src/schema/errors.ts";

/** A process that takes the lock named by its argument, says how that went, and stays until its input ends. */

const path = process.argv[2] ?? "";
try {
  const lock = await acquireOwnerLock(path);
  process.stdout.write("held\n");
  process.stdin.on("end", () => void lock.release().then(() => process.exit(0)));
} catch (error) {
  process.stdout.write(`${error instanceof AgentError ? error.code : String(error)}\n`);
  process.stdin.on("end", () => process.exit(0));
}
process.stdin.resume();
