import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { openLogFile } from "../../../src/adapters/log/log-file.ts";
import { LogTail } from "../../../src/app/logs/log-tail.ts";
import type { LogFilter, LogLevel } from "../../../src/schema/shown/log-record.ts";

function logFolder() {
  const folder = mkdtempSync(join(tmpdir(), "statehive-tail-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "statehive.log");
}

type Fields = { readonly [name: string]: string | number };

function line(n: number, fields: Fields = {}, level: LogLevel = "info"): string {
  const time = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  return `${JSON.stringify({ level, time, n, ...fields, message: "m" })}\n`;
}

function tailOf(path: string, filter: LogFilter = {}) {
  const tail = new LogTail({ path, filter });
  onTestFinished(() => tail.close());
  const numbers = (records: readonly object[]) => records.map((one) => (one as { n: number }).n);
  return {
    newest: (limit = 100) => numbers(tail.newest(limit)),
    /** All that waits. */
    next() {
      const found: number[] = [];
      let wasTorn = false;
      for (let more = true; more;) {
        const { records, isTorn, hasMore } = tail.next();
        found.push(...numbers(records));
        wasTorn ||= isTorn;
        more = hasMore;
      }
      return wasTorn ? { found, wasTorn } : found;
    },
  };
}

/** As the log's file does it, without one: older parts move on by one. */
function rotate(path: string, parts: number): void {
  for (let number = parts; number > 0; number -= 1) {
    renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
  }
}

describe("reading the log", () => {
  it("finds the newest over all parts, and returns them in order", () => {
    const path = logFolder();
    writeFileSync(`${path}.2`, line(1) + line(2));
    writeFileSync(`${path}.1`, line(3) + line(4));
    writeFileSync(path, line(5));
    expect(tailOf(path).newest()).toEqual([1, 2, 3, 4, 5]);
    expect(tailOf(path).newest(3)).toEqual([3, 4, 5]);
  });

  it("knows the newest, also in the moment in which the file is being rotated, and where there is none", () => {
    const path = logFolder();
    expect(tailOf(path).newest()).toEqual([]);
    writeFileSync(`${path}.1`, line(1));
    const tail = tailOf(path);
    expect(tail.newest()).toEqual([1]);
    writeFileSync(path, line(2));
    expect(tail.next()).toEqual([2]);
  });

  it("takes what is asked for: ids, level and times", () => {
    const path = logFolder();
    const ids = { trace_id: "t1", run_id: "r1", session_id: "s1", agent_id: "main" };
    writeFileSync(
      path,
      line(1) + line(2, ids) + line(3, { trace_id: "t1" }, "warn") + line(4, {}, "error"),
    );
    const [after, before] = ["2026-01-01T00:00:02Z", "2026-01-01T01:00:04+01:00"];
    expect(tailOf(path, { trace: "t1" }).newest()).toEqual([2, 3]);
    expect(tailOf(path, { run: "r1" }).newest()).toEqual([2]);
    expect(tailOf(path, { session: "s1", agent: "main" }).newest()).toEqual([2]);
    expect(tailOf(path, { session: "s2" }).newest()).toEqual([]);
    expect(tailOf(path, { level: "warn" }).newest()).toEqual([3, 4]);
    expect(tailOf(path, { after, before }).newest()).toEqual([2, 3]);
  });

  it("passes over lines that are no records", () => {
    const path = logFolder();
    const junk = '{"cut\n\n[]\n{"level":"loud","time":"x","message":"m"}\n\u0000\n';
    writeFileSync(path, line(1) + junk + line(2));
    expect(tailOf(path).newest()).toEqual([1, 2]);
  });

  it("reads lines longer than its chunks, in any script", () => {
    const path = logFolder();
    const text = "äöü蜂🐝".repeat(30_000);
    writeFileSync(path, line(1, { text }) + line(2) + line(3, { text }));
    expect(tailOf(path).newest()).toEqual([1, 2, 3]);
  });
});

describe("following the log", () => {
  it("begins where the newest ended, and waits for the end of a line", () => {
    const path = logFolder();
    writeFileSync(path, line(1));
    const tail = tailOf(path);
    expect(tail.newest()).toEqual([1]);
    expect(tail.next()).toEqual([]);
    appendFileSync(path, line(2) + line(3).slice(0, 9));
    expect(tail.next()).toEqual([2]);
    appendFileSync(path, line(3).slice(9));
    expect(tail.next()).toEqual([3]);
  });

  it("misses and repeats nothing over several rotations at once", () => {
    const path = logFolder();
    writeFileSync(path, line(1));
    const tail = tailOf(path);
    appendFileSync(path, line(2));
    for (const [index, n] of [3, 4, 5].entries()) {
      rotate(path, index + 1);
      writeFileSync(path, line(n));
    }
    expect(tail.next()).toEqual([2, 3, 4, 5]);
    appendFileSync(path, line(6));
    expect(tail.next()).toEqual([6]);
  });

  it("says where records are missing: the file is gone, and another one is there", () => {
    const path = logFolder();
    writeFileSync(path, line(1));
    const tail = tailOf(path);
    renameSync(path, `${path}.gone`);
    writeFileSync(path, line(9));
    expect(tail.next()).toEqual({ found: [9], wasTorn: true });
  });

  it("begins again in a file that was emptied", () => {
    const path = logFolder();
    writeFileSync(path, line(1) + line(2));
    const tail = tailOf(path);
    writeFileSync(path, line(3));
    expect(tail.next()).toEqual([3]);
  });

  it("hears everything of a log that is written and rotated meanwhile, once and in order", async () => {
    const plan = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(plan, async (bursts) => {
        const path = logFolder();
        const clock = createSimulatedClock();
        const options = { path, maxBytes: 1_500, files: 100, clock, onTrouble: () => undefined };
        const tail = tailOf(path);
        const heard: number[] = [];
        let written = 0;
        for (const burst of bursts) {
          const file = openLogFile(options);
          for (let n = 0; n < burst; n += 1) file.write(line((written += 1)));
          await file.close();
          heard.push(...(tail.next() as number[]));
        }
        expect(heard).toEqual(Array.from({ length: written }, (_, index) => index + 1));
        expect(tailOf(path).newest(1_000)).toEqual(heard);
      }),
      { numRuns: 15 },
    );
  });
});
