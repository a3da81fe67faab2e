import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CommittedReader } from "../../ports/store.ts";
import { errnoOf } from "../../schema/errno.ts";
import { type Message, messageTable, sessionTable } from "../../schema/rows/session-rows.ts";
import { iso } from "../records/shown.ts";
import { type LinesFile, openLines, sessionFileName } from "./lines-file.ts";
import { headingLine, messageLine, readLine } from "./session-lines.ts";

/** Where a file ended when it was last written. */
type End = { readonly bytes: number; readonly position: number };

/** Before the first message. */
export const beforeAll = -1;

export const rowsAtOnce = 32;
const mostKnown = 256;

/** A file for each session. What a file lacks at its end is appended; one that does not end with a message of its session is
 *  written anew. */
export class SessionFiles {
  readonly #directory: string;
  readonly #read: CommittedReader;
  /** Of the files that were written last: these need no second look. */
  readonly #ends = new Map<string, End>();

  constructor(directory: string, read: CommittedReader) {
    this.#directory = directory;
    this.#read = read;
  }

  /** Brings the file up to these rows at least. @param rows of this session, none missing between them */
  async bring(sessionId: string, rows: readonly Message[]): Promise<void> {
    const end = this.#ends.get(sessionId);
    this.#ends.delete(sessionId);
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await this.#inFile(sessionId, async (file) => {
      const position =
        end?.bytes === file.bytes
          ? await this.#append(file, end.position, rows)
          : await this.#mend(file, sessionId);
      this.#remember(sessionId, { bytes: file.bytes, position });
    });
  }

  /** Resolves when the disk has what was written; what was removed since stays away. */
  async sync(sessionId: string): Promise<void> {
    try {
      await this.#inFile(sessionId, (file) => file.sync(), "refuse");
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
    }
  }

  async #inFile(
    sessionId: string,
    work: (file: LinesFile) => Promise<void>,
    absent: "make" | "refuse" = "make",
  ): Promise<void> {
    const file = await openLines(join(this.#directory, sessionFileName(sessionId)), absent);
    try {
      await work(file);
    } finally {
      await file.close();
    }
  }

  async #mend(file: LinesFile, sessionId: string): Promise<number> {
    let last = await this.#lastPosition(file, sessionId);
    for (;;) {
      const rows = await this.#read.select(messageTable, {
        index: "by_session",
        equals: [sessionId],
        after: last,
        limit: rowsAtOnce,
      });
      last = await this.#append(file, last, rows);
      if (rows.length < rowsAtOnce) return last;
    }
  }

  /** Of the message that the file ends with; the file is begun anew where that is none of this session. */
  async #lastPosition(file: LinesFile, sessionId: string): Promise<number> {
    const text = await file.lastLine();
    const line = text === undefined ? undefined : readLine(text);
    if (line?.type === "session" && line.session_id === sessionId) return beforeAll;
    if (line?.type === "message") {
      const row = await this.#read.get(messageTable, line.position);
      if (row?.session_id === sessionId && iso(row.at) === line.at) return line.position;
    }
    await file.clear();
    const session = await this.#read.get(sessionTable, sessionId);
    if (session !== undefined) await file.append(headingLine(session));
    return beforeAll;
  }

  /** @returns the position of the file's last message now */
  async #append(file: LinesFile, last: number, rows: readonly Message[]): Promise<number> {
    const missing = rows.filter(({ position }) => position > last);
    if (missing.length > 0) await file.append(missing.map(messageLine).join(""));
    return missing.at(-1)?.position ?? last;
  }

  #remember(sessionId: string, end: End): void {
    this.#ends.set(sessionId, end);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > mostKnown && oldest !== undefined) this.#ends.delete(oldest);
  }
}
