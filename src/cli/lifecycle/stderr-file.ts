import { fchmodSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { AgentError } from "../../schema/errors.ts";
import { shownLines } from "../../text/shown.ts";

/** The file that a detached service's stderr goes to, and the place in it where this start begins. */
export type StderrFile = { readonly descriptor: number; readonly startsAt: number };

const tailLines = 20;
const tailBytes = 64 * 1024;
/** A little is written to it at each start at most: one that has grown so far is begun anew. */
const mostBytes = 1024 * 1024;

/** @throws AgentError home.invalid */
export function openStderrFile(path: string): StderrFile {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const descriptor = openSync(path, "a+", 0o600);
    fchmodSync(descriptor, 0o600);
    if (fstatSync(descriptor).size > mostBytes) ftruncateSync(descriptor);
    return { descriptor, startsAt: fstatSync(descriptor).size };
  } catch (cause) {
    throw new AgentError("home.invalid", `The file ${path} cannot be written: ${String(cause)}`, {
      cause,
      hint: "mend the rights of the home, or choose another one with --home",
    });
  }
}

/** The last lines that were written since the start, fit to be shown. */
export function readTail({ descriptor, startsAt }: StderrFile): readonly string[] {
  const { size } = fstatSync(descriptor);
  const from = Math.max(startsAt, size - tailBytes);
  const bytes = Buffer.alloc(Math.max(0, size - from));
  readSync(descriptor, bytes, 0, bytes.length, from);
  const lines = shownLines(bytes.toString("utf8")).split("\n");
  return lines.filter((line) => line !== "").slice(-tailLines);
}
