import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errnoOf } from "../../schema/errno.ts";
import { AgentError } from "../../schema/errors.ts";

/** One of the files that the log consists of: the file itself, under whatever name it has by now. */
export type Part = {
  readonly descriptor: number;
  readonly inode: number;
  /** How far it is read by those who follow. */
  position: number;
};

/** @returns undefined where there is none
 *  @throws AgentError home.invalid for what cannot be read */
export function openPart(path: string, from: "start" | "end"): Part | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (cause) {
    const code = errnoOf(cause) ?? "";
    if (code === "ENOENT") return undefined;
    throw new AgentError("home.invalid", `The log ${path} cannot be read (${code}).`, {
      cause,
      hint: "mend the rights of the home, or choose another one with --home",
    });
  }
  const { ino, size } = fstatSync(descriptor);
  return { descriptor, inode: ino, position: from === "end" ? size : 0 };
}

export function closePart({ descriptor }: Part): void {
  closeSync(descriptor);
}

const chunkBytes = 65_536;
const lineBreak = 0x0a;

/** The lines before `position`, the last one first; one that is cut is among them. */
export function* linesBackwards({ descriptor, position }: Part): Generator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for (let end = position; end > 0;) {
    const from = Math.max(0, end - chunkBytes);
    const read = Buffer.concat([bytesAt(descriptor, from, end - from), rest]);
    let lineEnd = read.length;
    for (let at = read.lastIndexOf(lineBreak); at >= 0; at = lastBreakBefore(read, at)) {
      if (at + 1 < lineEnd) yield read.toString("utf8", at + 1, lineEnd);
      lineEnd = at;
    }
    rest = read.subarray(0, lineEnd);
    end = from;
  }
  if (rest.length > 0) yield rest.toString("utf8");
}

function lastBreakBefore(bytes: Buffer, at: number): number {
  return at === 0 ? -1 : bytes.lastIndexOf(lineBreak, at - 1);
}

/** What was added since the last call, up to its last whole line and to about `most` bytes. */
export function readOn(part: Part, most: number): readonly string[] {
  const { size } = fstatSync(part.descriptor);
  if (size < part.position) part.position = 0;
  let bytes = bytesAt(part.descriptor, part.position, Math.min(most, size - part.position));
  let end = bytes.lastIndexOf(lineBreak);
  if (end < 0 && part.position + bytes.length < size) {
    bytes = bytesAt(part.descriptor, part.position, size - part.position);
    end = bytes.lastIndexOf(lineBreak);
  }
  if (end < 0) return [];
  part.position += end + 1;
  return bytes.toString("utf8", 0, end).split("\n");
}

function bytesAt(descriptor: number, from: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const read = readSync(descriptor, bytes, 0, count, from);
  return bytes.subarray(0, read);
}
