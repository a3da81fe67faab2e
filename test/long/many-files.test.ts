import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { openLinuxMemoryFiles } from "../../src/adapters/memory-files/linux-memory-files.ts";
import { openMemoryIndex } from "../../src/adapters/memory-index/open-memory-index.ts";
import { IndexKeeper } from "../../src/app/memory/keeping/keep-index.ts";
import { memorySettings } from "../../src/memory/settings.ts";

/** Memory that is much: what is looked for is found, and nobody waits for all of it. */

const partition = "main/local";
const settings = memorySettings();
const clock = createSystemClock();

function newHome() {
  const home = mkdtempSync(join(tmpdir(), "statehive-many-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, "memory", partition);
  mkdirSync(join(folder, "archive"), { recursive: true });
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return { home, save };
}

/** As a service that has just begun. */
async function openKeeper(home: string) {
  const files = await openLinuxMemoryFiles({ root: join(home, "memory"), clock });
  const file = join(home, "memory.db");
  const index = await openMemoryIndex({ file, settings, embedder: null, clock, log: silentLog });
  const put: string[] = [];
  const noted: typeof index.put = (document) => {
    put.push(document.path);
    return index.put(document);
  };
  const watched = new Proxy(index, {
    get: (target, name) => {
      if (name === "put") return noted;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const keeper = new IndexKeeper({ files, index: watched, settings, log: silentLog });
  const whereIs = async (text: string) => {
    const query = { text, partitions: [partition], kinds: ["memory"] as const, limit: 3 };
    return (await index.search(query)).map(({ path }) => path);
  };
  const close = async () => {
    await keeper.close();
    await index.close();
  };
  return { keeper, put, whereIs, close };
}

describe("five thousand files", () => {
  const count = 5_000;
  const pathOf = (page: number) => `${partition}/archive/page-${page}.md`;
  const some = Array.from({ length: 50 }, (_, n) => n * 100);

  it("are found each by its own words, a note that comes meanwhile before all are in, and none is read in twice", async () => {
    const { home, save } = newHome();
    for (let page = 0; page < count; page += 1)
      save(`archive/page-${page}.md`, `# Page ${page}\n\n- The shelf mark of it is m${page}m.\n`);

    const first = await openKeeper(home);
    let isOver = false;
    const scanning = first.keeper.scan().finally(() => (isOver = true));
    save("note.md", "- The kettle is in the attic.\n");
    await first.keeper.refresh([`${partition}/note.md`]);
    expect(await first.whereIs("kettle")).toEqual([`${partition}/note.md`]);
    expect(isOver).toBe(false);
    await scanning;
    for (const page of some) expect(await first.whereIs(`m${page}m`)).toEqual([pathOf(page)]);
    expect(first.put).toHaveLength(count + 1);
    await first.close();

    const second = await openKeeper(home);
    await second.keeper.scan();
    expect(second.put).toEqual([]);
    await second.close();
  });
});

describe("ten megabytes", () => {
  const line = (n: number) => `the crate c${n}c stands in row ${n % 97} of the hall`;

  it.each([
    ["in one line", " and "],
    ["of list items", "\n- "],
  ])("%s are found to their end", async (_how, between) => {
    const { home, save } = newHome();
    const parts: string[] = [];
    for (let n = 0, bytes = 0; bytes < 10_000_000; n += 1) {
      parts.push(line(n));
      bytes += line(n).length + between.length;
    }
    save("crates.md", `- ${parts.join(between)}`);
    const { keeper, whereIs, close } = await openKeeper(home);
    await keeper.scan();
    for (const n of [0, Math.floor(parts.length / 2), parts.length - 1])
      expect(await whereIs(`c${n}c`)).toContain(`${partition}/crates.md`);
    expect(keeper.skipped()).toEqual([]);
    await close();
  });
});
