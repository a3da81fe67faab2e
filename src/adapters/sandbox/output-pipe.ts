import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemPath } from "./bubblewrap-options.ts";

/** A real pipe for a program's output. Node's own are sockets, which `echo >/dev/stderr` in a script cannot open. */
export type OutputPipe = {
  readonly reader: Socket;
  /** For the program; to be closed here once it has it, else the reader never ends. */
  readonly writer: number;
};

const makeFifo = promisify(execFile);

function openBoth(path: string): OutputPipe {
  const readable = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writer = openSync(path, constants.O_WRONLY);
    return { reader: new Socket({ fd: readable, readable: true, writable: false }), writer };
  } catch (thrown) {
    closeSync(readable);
    throw thrown;
  }
}

export async function createOutputPipe(): Promise<OutputPipe> {
  const directory = await mkdtemp(join(tmpdir(), "statehive-output-"));
  try {
    const path = join(directory, "pipe");
    await makeFifo("mkfifo", ["-m", "600", path], { env: { PATH: systemPath } });
    return openBoth(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
