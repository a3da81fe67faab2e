import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "../../schema/errno.ts";

/** A file that is only added to. When it is full it becomes `<path>.1`, what was `<path>.1` becomes `<path>.2`, and the oldest goes.
 *  No library: rotating-file-stream 3.2 takes a turn of the loop for each line, so that a busy service falls behind its own log,
 *  and takes a short write, as on a full disk, for a whole one. */

export type RotatingFileOptions = {
  readonly path: string;
  /** A file of this size is full. */
  readonly maxBytes: number;
  /** How many are kept, with the one that is written: 2 or more. */
  readonly files: number;
};

export type RotatingFile = {
  /** How many of these lines, from the first, one `append` may take so that only the last of them goes beyond `maxBytes`. */
  fitting(lines: readonly string[]): number;
  /** Makes the file and its folder where they are missing. Throws what the system says. */
  append(text: string): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
};

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
/** Neither follows a link nor waits for somebody to read a pipe. */
const appending = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
const ownerOnly = 0o600;
const mostBytesAtOnce = 65_536;

export function openRotatingFile({ path, maxBytes, files }: RotatingFileOptions): RotatingFile {
  let handle: FileHandle | undefined;
  let size = 0;
  const close = async () => {
    const closing = handle;
    handle = undefined;
    await Promise.allSettled([closing?.close()]);
  };
  const openPresent = async () => {
    await mkdir(dirname(path), { recursive: true });
    handle = await open(path, appending, ownerOnly);
    // A file of an older version, or of another hand, may be readable by others.
    await handle.chmod(ownerOnly);
    ({ size } = await handle.stat());
    return handle;
  };
  const moveOn = async () => {
    await close();
    for (let part = files - 1; part > 0; part -= 1) {
      await renameIfThere(part === 1 ? path : `${path}.${part - 1}`, `${path}.${part}`);
    }
    return openPresent();
  };
  return {
    close,
    fitting(lines) {
      let room = Math.min(size < maxBytes ? maxBytes - size : maxBytes, mostBytesAtOnce);
      const last = lines.findIndex((line) => (room -= Buffer.byteLength(line)) <= 0);
      return last < 0 ? lines.length : last + 1;
    },
    async append(text) {
      let file = handle ?? (await openPresent());
      if (size >= maxBytes) file = await moveOn();
      await file.appendFile(text);
      size += Buffer.byteLength(text);
    },
  };
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}
