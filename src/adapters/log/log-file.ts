import { appendFileSync, lstatSync } from "node:fs";
import type { Clock } from "../../ports/clock.ts";
import { toErrorData } from "../../schema/errors.ts";
import { openRotatingFile, type RotatingFile, type RotatingFileOptions } from "./rotating-file.ts";

/** The log's file, its older parts beside it as `<path>.1`, `<path>.2` and so on. */

export type LogFileOptions = RotatingFileOptions & {
  readonly clock: Pick<Clock, "now">;
  /** Told once, each time that the file stops to take lines. */
  readonly onTrouble: (message: string) => void;
};

export type LogFile = {
  readonly path: string;
  /** Never throws and never waits: what the disk does not take is counted and left out. @param line with its line break */
  write(line: string): void;
  /** Lines that were left out. */
  readonly lost: number;
  /** Resolves when all that was written is in the file. */
  close(): Promise<void>;
};

const retryMs = 5_000;
const lookMs = 1_000;
/** Lines that wait for a slow disk; more are left out. */
const mostWaiting = 50_000;

export function openLogFile(options: LogFileOptions): LogFile {
  return new RotatingLog(options);
}

class RotatingLog implements LogFile {
  lost = 0;
  readonly path: string;
  readonly #options: LogFileOptions;
  #file: RotatingFile | undefined;
  /** Handed to the file. */
  #writing: readonly string[] = [];
  /** Come meanwhile: they are handed over together, so that a slow disk takes fewer and larger pieces. */
  #waiting: string[] = [];
  #work: Promise<void> = Promise.resolve();
  #retryAt = Number.NEGATIVE_INFINITY;
  #lookAt = Number.NEGATIVE_INFINITY;
  readonly #onExit = () => this.#saveWaiting();

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.path = options.path;
    process.once("exit", this.#onExit);
  }

  write(line: string): void {
    const now = this.#options.clock.now();
    this.#leaveDeletedFile(now);
    this.#file ??= this.#reopen(now);
    if (this.#file === undefined || this.#waiting.length >= mostWaiting) {
      this.lost += 1;
      return;
    }
    this.#waiting.push(line);
    if (this.#writing.length === 0) this.#work = this.#writeAll(this.#file);
  }

  async close(): Promise<void> {
    process.off("exit", this.#onExit);
    this.#retryAt = Number.POSITIVE_INFINITY;
    await this.#work;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #writeAll(file: RotatingFile): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        this.#writing = this.#waiting.splice(0, file.fitting(this.#waiting));
        await file.append(this.#writing.join(""));
        this.#writing = [];
      }
    } catch (error) {
      await this.#giveUp(file, error);
    }
  }

  #reopen(now: number): RotatingFile | undefined {
    if (now < this.#retryAt) return undefined;
    const { path, onTrouble } = this.#options;
    this.#retryAt = now + retryMs;
    this.#lookAt = now + lookMs;
    if (kindOf(path) !== "other") return openRotatingFile(this.#options);
    onTrouble(`the log ${path} cannot be written, the service goes on: it is not a file`);
    return undefined;
  }

  /** What it had not written yet is lost with it; another one is tried a little later. */
  async #giveUp(file: RotatingFile, error: unknown): Promise<void> {
    this.#file = undefined;
    this.#retryAt = this.#options.clock.now() + retryMs;
    this.lost += this.#writing.length + this.#waiting.length;
    this.#writing = [];
    this.#waiting = [];
    const { path, onTrouble } = this.#options;
    const { message } = toErrorData(error);
    onTrouble(`the log ${path} cannot be written, the service goes on: ${message}`);
    await file.close();
  }

  /** Somebody may remove the file while it is written, or put a link in its place: then its lines would go nowhere. */
  #leaveDeletedFile(now: number): void {
    const file = this.#file;
    if (now < this.#lookAt || file === undefined || this.#writing.length > 0) return;
    this.#lookAt = now + lookMs;
    if (kindOf(this.path) === "file") return;
    this.#file = undefined;
    this.#retryAt = now;
    void file.close();
  }

  /** The process ends now: what is not in the file yet is written at once, rather twice than not at all. */
  #saveWaiting(): void {
    const lines = [...this.#writing, ...this.#waiting].join("");
    if (lines === "") return;
    try {
      appendFileSync(this.path, lines, { mode: 0o600 });
    } catch (error) {
      this.#options.onTrouble(`the last lines of the log are lost: ${String(error)}`);
    }
  }
}

/** No link is followed: what it leads to is somebody else's. */
function kindOf(path: string): "file" | "absent" | "other" {
  try {
    return lstatSync(path).isFile() ? "file" : "other";
  } catch {
    return "absent";
  }
}
