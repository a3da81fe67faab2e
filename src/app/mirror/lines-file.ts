import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { AgentError } from "../../schema/errors.ts";

/** A file of lines that is only ever appended to. */

const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const ownerOnly = 0o600;
const blockBytes = 65_536;
const newline = 0x0a;

/** Whatever a session is called, its file stands directly in the directory. */
export function sessionFileName(sessionId: string): string {
  const isPlain = /^[\w-]{1,100}$/.test(sessionId);
  const stem = isPlain ? sessionId : createHash("sha256").update(sessionId).digest("hex");
  return `${stem}.jsonl`;
}

/** @throws AgentError file.refused, or what the operating system says: ENOENT only where none is to be made */
export async function openLines(path: string, absent: "make" | "refuse"): Promise<LinesFile> {
  const handle = await open(path, absent === "make" ? flags | constants.O_CREAT : flags, ownerOnly);
  const stat = await handle.stat();
  if (stat.isFile()) return new LinesFile(handle, stat.size);
  await handle.close();
  throw new AgentError("file.refused", `${path} is not a file`);
}

export class LinesFile {
  readonly #handle: FileHandle;
  #bytes: number;

  constructor(handle: FileHandle, bytes: number) {
    this.#handle = handle;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A line that a crash has cut goes. @returns the last one without its end; undefined where there is none */
  async lastLine(): Promise<string | undefined> {
    const end = await this.#lineEndBefore(this.#bytes);
    await this.#cutTo(end);
    if (end === 0) return undefined;
    const start = await this.#lineEndBefore(end - 1);
    const line = Buffer.alloc(end - 1 - start);
    await this.#read(line, start);
    return line.toString();
  }

  clear(): Promise<void> {
    return this.#cutTo(0);
  }

  /** After an error the last line may be cut: `lastLine` mends it. */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    let written = 0;
    while (written < bytes.length) {
      const place = this.#bytes + written;
      const { bytesWritten } = await this.#handle.write(bytes, written, undefined, place);
      written += bytesWritten;
    }
    this.#bytes += written;
  }

  /** Resolves when the disk has it. */
  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #cutTo(bytes: number): Promise<void> {
    if (bytes === this.#bytes) return;
    await this.#handle.truncate(bytes);
    this.#bytes = bytes;
  }

  /** The place after the last line's end before `limit`; 0 where there is none. */
  async #lineEndBefore(limit: number): Promise<number> {
    for (let end = limit; end > 0;) {
      const start = Math.max(0, end - blockBytes);
      const block = Buffer.alloc(end - start);
      await this.#read(block, start);
      const found = block.lastIndexOf(newline);
      if (found >= 0) return start + found + 1;
      end = start;
    }
    return 0;
  }

  /** What somebody has cut off meanwhile reads as NUL: no line of ours. */
  async #read(into: Buffer, start: number): Promise<void> {
    let read = 0;
    while (read < into.length) {
      const { bytesRead } = await this.#handle.read(into, read, into.length - read, start + read);
      if (bytesRead === 0) return;
      read += bytesRead;
    }
  }
}
