import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canaries, filesWithCanaries } from "./canaries.ts";

/** All temporary directories of a run are below one, and the environment of every process holds secrets: whatever is left at the
 *  end is looked through for them, and goes. The name is short: paths of sockets are. */

let directory = "";

/** Below a longer one a service would put its socket elsewhere. */
const longestPlace = 32;

/** Each commit of a service waits for the disk, and tests cut no power: in memory they are several times as fast, and another's
 *  writing does not hold them up. */
const memory = "/dev/shm";
/** Many times what tests hold at one time, which is some 120 MB. */
const roomBytes = 2 ** 30;

export function setup(): void {
  directory = newDirectory();
  process.env["TMPDIR"] = directory;
  for (const [name, value] of Object.entries(canaries)) process.env[name] ??= value;
}

/** @returns where TMPDIR says, if it does */
function newDirectory(): string {
  if (process.env["TMPDIR"] === undefined && hasRoom(memory)) {
    const inMemory = mkdtempSync(join(memory, "sh-"));
    if (runsPrograms(inMemory)) return inMemory;
    rmSync(inMemory, { recursive: true });
  }
  const place = realpathSync(tmpdir());
  return mkdtempSync(join(place.length > longestPlace ? "/tmp" : place, "sh-"));
}

function hasRoom(place: string): boolean {
  if (!existsSync(place)) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= roomBytes;
}

/** Containers often mount their memory with noexec. */
function runsPrograms(place: string): boolean {
  const program = join(place, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
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
