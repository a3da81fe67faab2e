import { appendFileSync, chmodSync, lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createStream, type RotatingFileStream } from "rotating-file-stream";
import type { Clock } from "../../ports/clock.ts";

/** The log's file, its older parts beside it as `<path>.1`, `<path>.2` and so on. */

export type LogFileOptions = {
  readonly path: string;
  /** A file that has grown to this size becomes `<path>.1`. */
  readonly maxBytes: number;
  /** How many are kept, with the one that is written: 2 or more. */
  readonly files: number;
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
  private readonly options: LogFileOptions;
  private stream: RotatingFileStream | undefined;
  /** Handed to the stream, not yet in the file; in order. */
  private readonly waiting = new Set<{ readonly line: string }>();
  private retryAt = Number.NEGATIVE_INFINITY;
  private lookAt = Number.NEGATIVE_INFINITY;
  private readonly onExit = () => this.saveWaiting();

  constructor(options: LogFileOptions) {
    this.options = options;
    this.path = options.path;
    process.once("exit", this.onExit);
  }

  write(line: string): void {
    const now = this.options.clock.now();
    this.leaveDeletedFile(now);
    const stream = this.stream ?? this.reopen(now);
    if (stream === undefined || this.waiting.size >= mostWaiting) {
      this.lost += 1;
      return;
    }
    const entry = { line };
    this.waiting.add(entry);
    stream.write(line, (error) => {
      if (!this.waiting.delete(entry) || !(error instanceof Error)) return;
      this.lost += 1;
      this.giveUp(stream, error);
    });
  }

  close(): Promise<void> {
    process.off("exit", this.onExit);
    const { stream } = this;
    this.stream = undefined;
    this.retryAt = Number.POSITIVE_INFINITY;
    if (stream === undefined || stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      stream.once("close", resolve).end();
    });
  }

  private reopen(now: number): RotatingFileStream | undefined {
    if (now < this.retryAt) return undefined;
    const { path, maxBytes, files, onTrouble } = this.options;
    this.retryAt = now + retryMs;
    this.lookAt = now + lookMs;
    if (kindOf(path) === "other") {
      onTrouble(`the log ${path} cannot be written, the service goes on: it is not a file`);
      return undefined;
    }
    makePrivate(path);
    const stream = createStream(basename(path), {
      path: dirname(path),
      size: `${maxBytes}B`,
      rotate: files - 1,
      mode: 0o600,
    });
    stream.on("error", (error) => this.giveUp(stream, error));
    this.stream = stream;
    return stream;
  }

  /** What it had not written yet is lost with it; another one is tried a little later. */
  private giveUp(stream: RotatingFileStream, error: Error): void {
    if (this.stream !== stream) return;
    this.stream = undefined;
    this.retryAt = this.options.clock.now() + retryMs;
    stream.destroy();
    const { path, onTrouble } = this.options;
    onTrouble(`the log ${path} cannot be written, the service goes on: ${error.message}`);
  }

  /** Somebody may remove the file while it is written, or put a link in its place: then its lines would go nowhere. */
  private leaveDeletedFile(now: number): void {
    if (now < this.lookAt || this.stream === undefined || this.waiting.size > 0) return;
    this.lookAt = now + lookMs;
    if (kindOf(this.options.path) === "file") return;
    this.stream.end();
    this.stream = undefined;
    this.retryAt = now;
  }

  /** The process ends now: what the stream still holds is written at once, rather twice than not at all. */
  private saveWaiting(): void {
    if (this.waiting.size === 0) return;
    const lines = [...this.waiting].map(({ line }) => line).join("");
    try {
      appendFileSync(this.options.path, lines, { mode: 0o600 });
    } catch (error) {
      this.options.onTrouble(`the last lines of the log are lost: ${String(error)}`);
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

/** A file of an older version, or of another hand, may be readable by others. */
function makePrivate(path: string): void {
  if (kindOf(path) === "absent") return;
  try {
    chmodSync(path, 0o600);
  } catch {
    return;
  }
}
