import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type Message, messageTable } from "../../schema/rows/session-rows.ts";
import { isAt, markOf, type MirrorMark, readMark, writeMark } from "./mirror-mark.ts";
import { beforeAll, rowsAtOnce, SessionFiles } from "./session-files.ts";

export type MirrorOptions = {
  readonly directory: string;
  readonly read: CommittedReader;
  readonly clock: Clock;
  readonly log: Log;
};

/** Steps that come one after the other are written together. */
const gatherMs = 100;
const retryMs = 30_000;
const markMs = 30_000;
const closingMs = 2_000;
/** Files written since the mark was set; with more, it is set at once. */
const mostUnmarked = 256;

/** Committed messages, written once more into a file for each session. The rows are the truth: what a slow or full disk, or the
 *  death of the service, keeps from a file is written into it later, in order and once. */
export class SessionMirror {
  readonly #options: MirrorOptions;
  readonly #files: SessionFiles;
  readonly #timers: Timers;
  /** Messages up to this one are written, but for those of sessions that lag; undefined: the mark was not read yet. */
  #position: number | undefined;
  /** What stands at that position, where it is not what the mark says already. */
  #newest: MirrorMark | undefined;
  readonly #unmarked = new Set<string>();
  readonly #lagging = new Set<string>();
  #working: Promise<void> | undefined;
  /** The pass after that one. */
  #next: Promise<void> | undefined;
  #isTroubled = false;
  #isClosed = false;

  constructor(options: MirrorOptions) {
    const { directory, read, clock } = options;
    this.#options = options;
    this.#files = new SessionFiles(directory, read);
    this.#timers = new Timers(clock);
  }

  /** Something may have been said. Never waits and never throws. */
  wake(): void {
    if (!this.#isClosed) this.#timers.once("gather", gatherMs, () => void this.catchUp());
  }

  /** Resolves when all that is committed now is in the files, as far as the disk takes it. However many ask meanwhile, one pass
   *  more is made for all of them. */
  catchUp(): Promise<void> {
    if (this.#working === undefined) {
      this.#working = this.#writeAll().finally(() => (this.#working = undefined));
      return this.#working;
    }
    this.#next ??= this.#working.then(() => {
      this.#next = undefined;
      return this.catchUp();
    });
    return this.#next;
  }

  /** Writes what is left, unless the disk is too slow for that: then it is written after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.cancelAll();
    const tooLate = new Promise<void>((resolve) => {
      this.#timers.once("close", closingMs, resolve);
    });
    await Promise.race([this.catchUp().then(() => this.#setMark()), tooLate]);
    this.#timers.cancelAll();
  }

  async #writeAll(): Promise<void> {
    try {
      for (const sessionId of this.#lagging) await this.#bring(sessionId, []);
      while (await this.#writeSome());
      if (this.#lagging.size === 0) this.#tellHealed();
    } catch (error) {
      this.#tellTrouble(error);
    }
  }

  /** @returns whether there may be more */
  async #writeSome(): Promise<boolean> {
    const after = (this.#position ??= await this.#markedPosition());
    const query = { index: "key", after, limit: rowsAtOnce };
    const rows = await this.#options.read.select(messageTable, query);
    for (const [sessionId, own] of bySession(rows)) await this.#bring(sessionId, own);
    const newest = rows.at(-1);
    if (newest === undefined) return false;
    this.#position = newest.position;
    this.#newest = markOf(newest);
    if (this.#unmarked.size > mostUnmarked) await this.#setMark();
    if (!this.#isClosed) this.#timers.once("mark", markMs, () => void this.#setMark());
    return rows.length === rowsAtOnce;
  }

  /** Where it was when it was last closed, or killed. */
  async #markedPosition(): Promise<number> {
    const { directory, read } = this.#options;
    const mark = await readMark(directory);
    if (mark === undefined) return beforeAll;
    return isAt(mark, await read.get(messageTable, mark.position)) ? mark.position : beforeAll;
  }

  async #bring(sessionId: string, rows: readonly Message[]): Promise<void> {
    try {
      await this.#files.bring(sessionId, rows);
      this.#lagging.delete(sessionId);
      this.#unmarked.add(sessionId);
    } catch (error) {
      this.#lagging.add(sessionId);
      this.#tellTrouble(error);
    }
  }

  /** While a session lags it stays where it was: the next start looks from there. */
  async #setMark(): Promise<void> {
    const newest = this.#newest;
    if (newest === undefined || this.#lagging.size > 0) return;
    const unmarked = [...this.#unmarked];
    this.#unmarked.clear();
    this.#newest = undefined;
    try {
      for (const sessionId of unmarked) await this.#files.sync(sessionId);
      await writeMark(this.#options.directory, newest);
    } catch (error) {
      for (const sessionId of unmarked) this.#lagging.add(sessionId);
      this.#newest ??= newest;
      this.#tellTrouble(error);
    }
  }

  #tellTrouble(error: unknown): void {
    if (this.#isClosed) return;
    this.#timers.once("retry", retryMs, () => void this.catchUp());
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    const { log, directory } = this.#options;
    const message = "files of sessions cannot be written; they are completed later";
    log("warn", message, { directory, error: String(error) });
  }

  #tellHealed(): void {
    if (!this.#isTroubled) return;
    this.#isTroubled = false;
    this.#options.log("info", "the files of sessions are complete again");
  }
}

function bySession(rows: readonly Message[]): Map<string, Message[]> {
  const sessions = new Map<string, Message[]>();
  for (const row of rows) {
    const own = sessions.get(row.session_id) ?? [];
    own.push(row);
    sessions.set(row.session_id, own);
  }
  return sessions;
}

/** At most one that waits, of each name. */
class Timers {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  once(name: string, ms: number, call: () => void): void {
    if (this.#waiting.has(name)) return;
    const cancel = this.#clock.after(ms, () => {
      this.#waiting.delete(name);
      call();
    });
    this.#waiting.set(name, cancel);
  }

  cancelAll(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }
}
