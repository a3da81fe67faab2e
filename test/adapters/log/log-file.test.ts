import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { type LogFileOptions, openLogFile } from "../../../src/adapters/log/log-file.ts";
import { canMount, mountSmallDisk } from "../../support/small-disk.ts";

function opened(more: Partial<LogFileOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "statehive-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createSimulatedClock(1_000_000);
  const troubles: string[] = [];
  const path = join(folder, "logs", "statehive.log");
  const file = openLogFile({
    path,
    maxBytes: 1_000,
    files: 3,
    clock,
    onTrouble: (message) => troubles.push(message),
    ...more,
  });
  return { folder, path, clock, troubles, file };
}

const numbered = (n: number) => `${String(n).padStart(9, "0")}\n`;

function writesOfThisProcess(): number {
  return Number(/^syscw: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

function numbersIn(path: string): number[] {
  return readFileSync(path, "utf8").trimEnd().split("\n").map(Number);
}

describe("the log's file", () => {
  it("keeps its name while older parts move on, drops the oldest, and is its owner's alone", async () => {
    const { folder, path, file } = opened();
    for (let n = 0; n < 350; n += 1) file.write(numbered(n));
    await file.close();
    const names = readdirSync(join(folder, "logs")).toSorted();
    expect(names).toEqual(["statehive.log", "statehive.log.1", "statehive.log.2"]);
    const all = [`${path}.2`, `${path}.1`, path].flatMap((one) => numbersIn(one));
    expect(all).toEqual(Array.from({ length: 250 }, (_, index) => index + 100));
    for (const name of names) {
      const { mode, size } = statSync(join(folder, "logs", name));
      expect({ mode: mode & 0o777, isBounded: size <= 1_000 }).toEqual({
        mode: 0o600,
        isBounded: true,
      });
    }
  });

  it("takes a write to the system for many lines that come together, not for each", async () => {
    const { path, file } = opened({ maxBytes: 10_000_000 });
    const before = writesOfThisProcess();
    for (let n = 0; n < 20_000; n += 1) file.write(numbered(n));
    await file.close();
    expect(writesOfThisProcess() - before).toBeLessThan(2_000);
    expect(numbersIn(path)).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
    expect(file.lost).toBe(0);
  });

  it("goes on where an earlier service has ended, and makes an open file private", async () => {
    const { folder, path, file } = opened();
    mkdirSync(join(folder, "logs"));
    writeFileSync(path, numbered(1), { mode: 0o644 });
    file.write(numbered(2));
    await file.close();
    expect(numbersIn(path)).toEqual([1, 2]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("counts what it cannot write, says so once, and heals by itself", async () => {
    const { folder, path, clock, troubles, file } = opened();
    writeFileSync(join(folder, "logs"), "no folder");
    file.write(numbered(1));
    await vi.waitFor(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toContain(`the log ${path} cannot be written, the service goes on`);
    for (const n of [2, 3]) file.write(numbered(n));
    expect(file.lost).toBe(3);
    rmSync(join(folder, "logs"));
    clock.advance(5_000);
    file.write(numbered(4));
    await file.close();
    expect(numbersIn(path)).toEqual([4]);
    expect(troubles).toHaveLength(1);
  });

  it("a file or folder that somebody removes comes back", async () => {
    const { folder, path, clock, file } = opened();
    file.write(numbered(1));
    await vi.waitFor(() => expect(numbersIn(path)).toEqual([1]));
    rmSync(join(folder, "logs"), { recursive: true });
    clock.advance(1_000);
    file.write(numbered(2));
    await file.close();
    expect(numbersIn(path)).toEqual([2]);
  });

  it("follows no link that somebody puts in its place, and heals when it has gone", async () => {
    const { folder, path, clock, troubles, file } = opened();
    file.write(numbered(1));
    await vi.waitFor(() => expect(numbersIn(path)).toEqual([1]));
    const other = join(folder, "other.txt");
    writeFileSync(other, "mine", { mode: 0o644 });
    rmSync(path);
    symlinkSync(other, path);
    clock.advance(1_000);
    file.write(numbered(2));
    expect(troubles).toEqual([
      `the log ${path} cannot be written, the service goes on: it is not a file`,
    ]);
    rmSync(path);
    clock.advance(5_000);
    file.write(numbered(3));
    await file.close();
    expect(numbersIn(path)).toEqual([3]);
    expect(file.lost).toBe(1);
    expect(readFileSync(other, "utf8")).toBe("mine");
    expect(statSync(other).mode & 0o777).toBe(0o644);
  });

  it("takes nothing more once it is closed, and nobody is hurt", async () => {
    const { file, path } = opened();
    file.write(numbered(1));
    await file.close();
    file.write(numbered(2));
    expect(numbersIn(path)).toEqual([1]);
  });
});

describe.skipIf(!canMount)("the log's file on a disk that is full", () => {
  it("counts what it leaves out, says so once, and goes on when there is room", async () => {
    const disk = mountSmallDisk();
    onTestFinished(() => disk.unmount());
    const path = join(disk.directory, "logs", "statehive.log");
    const { clock, troubles, file } = opened({ path, maxBytes: 1_000_000 });
    file.write(numbered(1));
    await vi.waitFor(() => expect(numbersIn(path)).toEqual([1]));
    disk.fill();
    for (let n = 2; n < 2_000; n += 1) file.write(numbered(n));
    await vi.waitFor(() => expect(troubles).toHaveLength(1));
    const { lost } = file;
    expect(lost).toBeGreaterThan(0);
    expect(troubles[0]).toContain("cannot be written, the service goes on: ENOSPC");
    file.write(numbered(2_000));
    expect(file.lost).toBe(lost + 1);

    disk.makeRoom();
    clock.advance(5_000);
    file.write(numbered(2_001));
    await file.close();
    expect(readFileSync(path, "utf8")).toContain(numbered(2_001));
  });
});
