import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemPath } from "./program-surroundings.ts";

/** Real pipes from a program to this process, made as FIFOs. Node's own are sockets: `echo >/dev/stderr` in a script cannot open
 *  those, and who writes to one that nobody reads is ended in the middle of what it does. */

export type ProgramPipe = {
  readonly reader: Socket;
  /** For the program; to be closed here once it has it, else the reader never ends. */
  readonly writer: number;
};

export type ProgramPipes = {
  /** Of what the program prints. */
  readonly output: ProgramPipe;
  /** Of what bwrap tells; writing to it never fails, also when this process is gone. */
  readonly status: ProgramPipe;
};

const makeFifos = promisify(execFile);

function openPipe(path: string, writing: number): ProgramPipe {
  const readable = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writer = openSync(path, writing);
    return { reader: new Socket({ fd: readable, readable: true, writable: false }), writer };
  } catch (thrown) {
    closeSync(readable);
    throw thrown;
  }
}

export async function createProgramPipes(): Promise<ProgramPipes> {
  const directory = await mkdtemp(join(tmpdir(), "statehive-pipes-"));
  try {
    const paths = [join(directory, "output"), join(directory, "status")] as const;
    await makeFifos("mkfifo", ["-m", "600", ...paths], { env: { PATH: systemPath } });
    const output = openPipe(paths[0], constants.O_WRONLY);
    return { output, status: openPipe(paths[1], constants.O_RDWR) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Resolves when the stream has ended; what has not by then is cut off. */
export function readToEnd(reader: Socket, atMostMs: number): Promise<void> {
  if (reader.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => reader.destroy(), atMostMs);
    reader.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
