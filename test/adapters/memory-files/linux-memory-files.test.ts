import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { tidyStagings } from "../../../src/actors/memory/changing/tidy-stagings.ts";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createFakeMemoryFiles } from "../../../src/adapters/memory-files/fake-memory-files.ts";
import { openDiskMemoryVersions } from "../../../src/adapters/memory-files/disk-memory-versions.ts";
import { openLinuxMemoryFiles } from "../../../src/adapters/memory-files/linux-memory-files.ts";
import { canMount, mountSmallDisk } from "../../support/small-disk.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function opened() {
  const root = mkdtempSync(join(tmpdir(), "memory-"));
  const clock = createSimulatedClock();
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  return { root, clock, write, files: await openLinuxMemoryFiles({ root, clock }) };
}

describe("files of memory on disk", () => {
  it("are their owner's alone, and keep the permissions that somebody gave them", async () => {
    const { root, files } = await opened();
    const name = await files.stage("main/tg/a.md", bytes("one"));
    await files.replace("main/tg/a.md", { name, expected: null });
    expect(statSync(join(root, "main/tg")).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, "main/tg/a.md")).mode & 0o777).toBe(0o600);
    chmodSync(join(root, "main/tg/a.md"), 0o640);
    const { hash = "" } = (await files.read("main/tg/a.md")) ?? {};
    const next = await files.stage("main/tg/a.md", bytes("two"));
    await files.replace("main/tg/a.md", { name: next, expected: hash });
    expect(statSync(join(root, "main/tg/a.md")).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(root, "main/tg"))).toEqual(["a.md"]);
  });

  it("are opened whatever bears the name of something that a crash left", async () => {
    const { root, clock, write } = await opened();
    write("main/tg/.statehive-memory-0123456789abcdef/x.md", "x");
    write("main/tg/.statehive-memory-fedcba9876543210", "left");
    const files = await openLinuxMemoryFiles({ root, clock });
    await files.tidy(new Set());
    expect(readdirSync(join(root, "main/tg"))).toEqual([".statehive-memory-0123456789abcdef"]);
  });

  it("are not read-only, links, pipes or hidden ones, and what is left out says why", async () => {
    const { root, write, files } = await opened();
    for (const path of ["main/tg/a.md", "main/tg/.b.md", "main/tg/c.md~", "main/tg/.d.md.swp"])
      write(path, "x");
    writeFileSync(join(root, "../outside.md"), "secret");
    symlinkSync("../../../outside.md", join(root, "main/tg/link.md"));
    symlinkSync("../..", join(root, "main/tg/up"));
    linkSync(join(root, "main/tg/a.md"), join(root, "main/tg/hard.md"));
    execFileSync("mkfifo", [join(root, "main/tg/pipe.md")]);
    write("main/tg/two\nlines.md", "x");
    const { files: found, skipped } = await files.list();
    expect(found).toEqual([]);
    expect(skipped.map(({ path }) => path)).toEqual([
      "main/tg/a.md",
      "main/tg/hard.md",
      "main/tg/link.md",
      "main/tg/pipe.md",
      "main/tg/two\nlines.md",
      "main/tg/up",
    ]);
    expect(skipped[2]?.reason).toBe("it is a symbolic link");
    for (const path of ["main/tg/link.md", "main/tg/up/x.md", "main/tg/pipe.md", "main/tg/.b.md"])
      await expect(files.read(path)).rejects.toMatchObject({ code: "memory.refused" });
    await expect(files.read("main/tg/link.md")).rejects.toMatchObject({
      message: "main/tg/link.md cannot be used: it is a symbolic link.",
      hint: expect.stringContaining("`statehive memory stats`") as string,
    });
    write("main/tg/fixed.md", "x");
    chmodSync(join(root, "main/tg/fixed.md"), 0o400);
    const { hash = "" } = (await files.read("main/tg/fixed.md")) ?? {};
    const name = await files.stage("main/tg/fixed.md", bytes("y"));
    await expect(files.replace("main/tg/fixed.md", { name, expected: hash })).rejects.toMatchObject(
      { code: "memory.refused" },
    );
  });

  it("hand over what somebody writes into one that was just replaced, through an open descriptor", async () => {
    const { root, write, files } = await opened();
    const path = "main/tg/a.md";
    write(path, "one");
    const file = join(root, path);
    const open = openSync(file, "r+");
    const { ino } = statSync(file);
    const { hash: expected = "" } = (await files.read(path)) ?? {};
    const name = await files.stage(path, bytes("two"));
    const replaced = files.replace(path, { name, expected });
    while (statSync(file).ino === ino) await setImmediate();
    ftruncateSync(open);
    writeSync(open, "one, said better", 0);
    expect(await replaced).toEqual({ isDone: true, late: bytes("one, said better") });
    closeSync(open);
    expect(readFileSync(file, "utf8")).toBe("two");
  });

  it("that are larger than 16 MB are known and not read", async () => {
    const { write, files } = await opened();
    write("main/tg/large.md", new Uint8Array(16 * 1024 * 1024 + 1));
    expect(await files.read("main/tg/large.md")).toMatchObject({
      bytes: 16_777_217,
      content: null,
    });
  });

  it.runIf(canMount)("are as they were where the disk is full", async () => {
    const disk = mountSmallDisk();
    try {
      const root = join(disk.directory, "memory");
      const files = await openLinuxMemoryFiles({ root, clock: createSimulatedClock() });
      const versions = await openDiskMemoryVersions(join(disk.directory, "versions"));
      const path = "main/tg/a.md";
      const name = await files.stage(path, bytes("one"));
      await files.replace(path, { name, expected: null });
      disk.fill();
      const large = crypto.getRandomValues(new Uint8Array(60_000));
      const full = { code: "memory.unavailable", retryable: true };
      await expect(files.stage(path, large)).rejects.toMatchObject(full);
      await expect(versions.keep(large)).rejects.toMatchObject(full);
      expect(readFileSync(join(root, path), "utf8")).toBe("one");
      expect(readdirSync(join(root, "main/tg"))).toEqual(["a.md"]);
      expect(await versions.list()).toEqual([]);
    } finally {
      disk.unmount();
    }
  });
});

describe("what lies among the versions of memory", () => {
  it("is told once, left alone, and in nobody's way", async () => {
    const root = join(mkdtempSync(join(tmpdir(), "odd-")), "memory-versions");
    const first = await openDiskMemoryVersions(root);
    const kept = await first.keep(bytes("one"));
    await first.note("change-k1", "{}");
    const folder = kept.slice(0, 2);
    const put = (path: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "theirs");
      return path;
    };
    const free = folder === "00" ? "01" : "00";
    const odd = [
      put("holidays.txt"),
      put("old/backup.unfinished"),
      put("notes/.DS_Store"),
      put("notes/change-%zz.note"),
      put(`${folder}/readme.md`),
      put(free),
    ];
    mkdirSync(join(root, `notes/folder.${"0".repeat(12)}.unfinished`));
    mkdirSync(join(root, folder, "f".repeat(64)));
    symlinkSync("/nowhere", join(root, "notes/gone.note"));
    symlinkSync("/etc", join(root, "ff-link"));
    execFileSync("mkfifo", [join(root, "notes/change-pipe.note"), join(root, "pipe")]);
    const left = put(`${folder}/${kept}.${"a".repeat(12)}.unfinished`);
    const told: (readonly string[])[] = [];
    const versions = await openDiskMemoryVersions(root, (paths) => void told.push(paths));
    expect(await versions.list()).toMatchObject([{ hash: kept }]);
    expect(await versions.notes()).toMatchObject([{ hash: "change-k1" }]);
    expect(await versions.noted("change-pipe")).toBeUndefined();
    await tidyStagings(createFakeMemoryFiles(), versions);
    expect(told.map((paths) => paths.toSorted())).toEqual([
      [
        free,
        "ff-link",
        `${folder}/${"f".repeat(64)}`,
        `${folder}/readme.md`,
        "holidays.txt",
        "notes/.DS_Store",
        "notes/change-%zz.note",
        "notes/change-pipe.note",
        `notes/folder.${"0".repeat(12)}.unfinished`,
        "notes/gone.note",
        "old",
        "pipe",
      ].toSorted(),
    ]);
    expect(odd.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(existsSync(join(root, left))).toBe(false);
  });
});
