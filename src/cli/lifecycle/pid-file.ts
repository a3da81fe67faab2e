import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";

const shape = z.object({ pid: z.int().positive(), started: z.string().nullable() });

/** Whole or not at all: it is read while it is written. */
export function writePidFile(path: string): void {
  const mine = identify(process.pid) ?? { pid: process.pid, started: null };
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(mine)}\n`, { mode: 0o600 });
  renameSync(fresh, path);
}

/** The process that wrote the file, if it still lives. */
export function readLivingProcess(path: string): ProcessIdentity | null {
  const found = readPidFile(path);
  return found !== null && isAlive(found) ? found : null;
}

/** Leaves the file of another process alone. */
export function removePidFile(path: string): void {
  if (readPidFile(path)?.pid === process.pid) rmSync(path, { force: true });
}

function readPidFile(path: string): ProcessIdentity | null {
  try {
    return shape.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return null;
  }
}
