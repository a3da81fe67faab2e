import { statSync } from "node:fs";
import type { LogFilter, LogRecord } from "../../schema/shown/log-record.ts";
import { matchesLog, readRecord } from "./log-filter.ts";
import { closePart, linesBackwards, openPart, type Part, readOn } from "./open-part.ts";

/** More records may wait than one call returns: ask again at once. */
export type Following = {
  readonly records: readonly LogRecord[];
  /** Older ones were rotated away before they were read. */
  readonly isTorn: boolean;
  readonly hasMore: boolean;
};

export type LogTailOptions = {
  /** The file that is written now; older ones are `<path>.1` and so on. */
  readonly path: string;
  readonly filter: LogFilter;
};

/** More than can be configured. */
const mostParts = 101;
const mostBytes = 1_048_576;

/** The log's records from their files, whether a service runs or not: the newest up to now, then what follows. */
export class LogTail {
  private readonly path: string;
  private readonly filter: LogFilter;
  /** The one that is read on. */
  private part: Part | undefined;

  constructor({ path, filter }: LogTailOptions) {
    this.path = path;
    this.filter = filter;
    this.part = openPart(path, "end") ?? openPart(partPath(path, 1), "end");
  }

  /** Those before what `next` returns first. @returns oldest first */
  newest(limit: number): readonly LogRecord[] {
    const found: LogRecord[] = [];
    for (const part of this.partsBackwards()) {
      try {
        if (!this.collect(part, found, limit)) break;
      } finally {
        if (part !== this.part) closePart(part);
      }
    }
    return found.toReversed();
  }

  /** @returns whether older ones are wanted */
  private collect(part: Part, found: LogRecord[], limit: number): boolean {
    const { after } = this.filter;
    const earliest = after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(after);
    for (const line of linesBackwards(part)) {
      if (found.length >= limit) return false;
      const record = readRecord(line);
      if (record === undefined) continue;
      if (Date.parse(record.time) < earliest) return false;
      if (matchesLog(record, this.filter)) found.push(record);
    }
    return found.length < limit;
  }

  private *partsBackwards(): Generator<Part> {
    if (this.part === undefined) return;
    yield this.part;
    for (let number = this.numberOfPart() + 1; number < mostParts; number += 1) {
      const older = openPart(partPath(this.path, number), "end");
      if (older !== undefined) yield older;
    }
  }

  /** What was written since, at most about a mebibyte of it. */
  next(): Following {
    this.part ??= openPart(this.oldest(), "start");
    if (this.part === undefined) return { records: [], isTorn: false, hasMore: false };
    const lines = readOn(this.part, mostBytes);
    if (lines.length > 0) return this.following(lines, false);
    return this.turnPage(this.part);
  }

  private following(lines: readonly string[], isTorn: boolean): Following {
    const read = lines.map((line) => readRecord(line)).filter((record) => record !== undefined);
    const records = read.filter((record) => matchesLog(record, this.filter));
    return { records, isTorn, hasMore: lines.length > 0 };
  }

  /** Nothing is left in this file: if it was rotated, the next one is the one that came after it; if it is gone, nobody knows
   *  which ones came between. */
  private turnPage(part: Part): Following {
    const number = this.numberOfPart();
    if (number === 0) return { records: [], isTorn: false, hasMore: false };
    const isTorn = number === mostParts;
    const next = openPart(partPath(this.path, isTorn ? 0 : number - 1), "start");
    if (next === undefined) return { records: [], isTorn: false, hasMore: false };
    const late = readOn(part, mostBytes);
    if (late.length > 0) {
      closePart(next);
      return this.following(late, false);
    }
    closePart(part);
    this.part = next;
    return { records: [], isTorn, hasMore: true };
  }

  /** 0 while it is the one that is written; `mostParts` when it is gone. */
  private numberOfPart(): number {
    for (let number = 0; number < mostParts; number += 1) {
      if (inodeAt(partPath(this.path, number)) === this.part?.inode) return number;
    }
    return mostParts;
  }

  private oldest(): string {
    for (let number = mostParts; number > 0; number -= 1) {
      const path = partPath(this.path, number);
      if (inodeAt(path) !== undefined) return path;
    }
    return this.path;
  }

  close(): void {
    if (this.part !== undefined) closePart(this.part);
    this.part = undefined;
  }
}

function partPath(path: string, number: number): string {
  return number === 0 ? path : `${path}.${number}`;
}

function inodeAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
