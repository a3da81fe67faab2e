import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canaries, filesWithCanaries } from "./canaries.ts";

/** All temporary directories of a run are below one, and the environment of every process holds secrets: whatever is left at the
 *  end is looked through for them, and goes. The name is short: paths of sockets are. */

let directory = "";

/** Below a longer one a service would put its socket elsewhere. */
const longestPlace = 32;

export function setup(): void {
  const place = realpathSync(tmpdir());
  directory = mkdtempSync(join(place.length > longestPlace ? "/tmp" : place, "sh-"));
  process.env["TMPDIR"] = directory;
  for (const [name, value] of Object.entries(canaries)) process.env[name] ??= value;
}

export function teardown(): void {
  // It was within that of another project of the same run, which was looked through whole.
  if (!existsSync(directory)) return;
  const found = filesWithCanaries(directory);
  const left = readdirSync(directory).length;
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  if (found.length === 0) return;
  // An error alone would not fail the run.
  process.exitCode = 1;
  throw new Error(`Of ${left} directories left, these hold a secret: ${found.join(", ")}`);
}
