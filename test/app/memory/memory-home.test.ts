import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { openLibsqlStore } from "../../../src/adapters/engine/open-libsql.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { openDiskMemoryVersions } from "../../../src/adapters/memory-files/disk-memory-versions.ts";
import { openLinuxMemoryFiles } from "../../../src/adapters/memory-files/linux-memory-files.ts";
import { openMemoryIndex } from "../../../src/adapters/memory-index/open-memory-index.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import { createMemoryService } from "../../../src/app/memory/memory-service.ts";
import { createNewsBus } from "../../../src/app/news/news.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import type { RowStore } from "../../../src/ports/store.ts";
import { recallTable } from "../../../src/schema/rows/memory-rows.ts";
import { createTestHive } from "../../support/hive.ts";
import { memoryNow } from "../../support/memory-hive.ts";

/** Real files, versions, index and database, below one directory as in a home. */

const place = {
  channel_type: "telegram",
  connector_id: "tg",
  conversation_scope: "1",
  user_scope: "1",
  agent_id: "main",
};

const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function openHome(home = mkdtempSync(join(tmpdir(), "home-"))) {
  const clock = createSimulatedClock(memoryNow);
  mkdirSync(join(home, "data"), { recursive: true });
  const files = await openLinuxMemoryFiles({ root: join(home, "memory"), clock });
  const versions = await openDiskMemoryVersions(join(home, "data/memory-versions"));
  const settings = memorySettings();
  const index = await openMemoryIndex({
    file: join(home, "data/memory.db"),
    settings,
    embedder: null,
    clock,
    log: silentLog,
  });
  const options = { files, versions, index, settings, clock, log: silentLog, timeZone: "UTC" };
  const memory = createMemoryService(options);
  const url = `file:${join(home, "data/statehive.db")}`;
  const store = await openLibsqlStore({ url, tables: allTables, durability: "process" });
  const hive = await createTestHive({ clock, store, memory: memory.parts });
  memory.attach(hive.engine);
  memory.follow(createNewsBus(hive.engine));
  await memory.looked();
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await memory.stop();
    await hive.engine.close();
    await memory.close();
  };
  opened.push(close);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(home, "memory", path)), { recursive: true });
    writeFileSync(join(home, "memory", path), content);
  };
  /** What the minute's look finds. */
  const look = async () => {
    clock.advance(60_000);
    await memory.looked();
  };
  const found = async (text: string) => {
    const { signal } = new AbortController();
    const sources = ["own", "shared"] as const;
    const query = { text, sources, kinds: ["memory"] as const, limit: 10, signal };
    const hits = await memory.parts.memories.of(place).search(query);
    return hits.map(({ path }) => path);
  };
  return { home, memory, hive, index, write, look, found, close, desk: memory.desk() };
}

describe("files of memory that people change", () => {
  it("are found when they are new, changed, renamed, and not any more when they are gone", async () => {
    const { home, write, look, found, desk } = await openHome();
    write("main/tg/notes.md", "# Garden\n\n- The tomatoes are red.\n");
    await look();
    expect(await found("tomatoes")).toEqual(["main/tg/notes.md"]);
    write("main/tg/notes.md", "# Garden\n\n- The cucumbers are green and long.\n");
    await look();
    expect(await found("tomatoes")).toEqual([]);
    renameSync(join(home, "memory/main/tg/notes.md"), join(home, "memory/main/tg/garden.md"));
    await look();
    expect(await found("cucumbers")).toEqual(["main/tg/garden.md"]);
    rmSync(join(home, "memory/main/tg/garden.md"));
    await look();
    expect(await found("cucumbers")).toEqual([]);
    const [gone] = await desk.log({ path: "main/tg/garden.md", limit: 1 });
    expect(gone).toMatchObject({ kind: "edit", by: "editor", after: null, removed: 3 });
    await desk.restore(gone?.change_id ?? "", { by: "cli" });
    expect(await found("cucumbers")).toEqual(["main/tg/garden.md"]);
  });

  it("come back when they were deleted, also larger than what the service writes", async () => {
    const { home, write, look, desk } = await openHome();
    const large = `- The tomatoes are red.${" ".repeat(1_000_000)}\n`;
    write("main/tg/notes.md", large);
    await look();
    rmSync(join(home, "memory/main/tg/notes.md"));
    await look();
    const [gone] = await desk.log({ limit: 1 });
    await desk.restore(gone?.change_id ?? "", { by: "cli" });
    expect(readFileSync(join(home, "memory/main/tg/notes.md"), "utf8")).toBe(large);
  });

  it("are passed over when they are no texts, with the reason, and images are found by their names", async () => {
    const { home, memory, write, look, found, desk } = await openHome();
    write("main/tg/broken.md", new Uint8Array([0x63, 0xc3, 0x28]));
    write("main/tg/binary.md", new Uint8Array([0x63, 0, 0x63]));
    write("main/tg/birthday-cake.png", new Uint8Array([0x89, 0x50, 0, 0xff]));
    write("main/tg/album.md", "![Anna on the beach](beach.png)\n");
    write("main/stray.md", "nobody's\n");
    write("main/tg/two\nlines.md", "The badger sleeps.\n");
    symlinkSync("album.md", join(home, "memory/main/tg/link.md"));
    write("main/tg/large.md", new Uint8Array(16 * 1024 * 1024 + 1).fill(0x61));
    await memory.parts.refresh(["main/tg/two\nlines.md", "main/tg/link.md"], "changed");
    expect(await found("badger")).toEqual([]);
    await look();
    const { skipped, files } = await desk.list();
    expect(files).toHaveLength(6);
    expect(skipped).toEqual([
      { path: "main/tg/link.md", reason: "it is a symbolic link" },
      { path: "main/tg/two\nlines.md", reason: "its name has characters that cannot be shown" },
      { path: "main/stray.md", reason: "it lies in no agent's memory" },
      { path: "main/tg/binary.md", reason: "it is not UTF-8 text" },
      { path: "main/tg/broken.md", reason: "it is not UTF-8 text" },
      { path: "main/tg/large.md", reason: "it is too large" },
    ]);
    expect(await found("birthday cake")).toEqual(["main/tg/birthday-cake.png"]);
    expect(await found("Anna beach")).toEqual(["main/tg/album.md"]);
  });

  it("are left alone where they are read-only, and nothing is left beside them", async () => {
    const { home, memory, write, look } = await openHome();
    write("main/tg/MEMORY.md", "- Mine.\n");
    const folder = join(home, "memory/main/tg");
    chmodSync(join(folder, "MEMORY.md"), 0o400);
    await look();
    const written = memory.parts.memories.of(place).write({
      target: { to: "long_term" },
      entry: { text: "The safe opens with 4711.", origins: [] },
      key: "k1",
      session_id: "s1",
      trace_id: "t1",
      signal: new AbortController().signal,
    });
    await expect(written).rejects.toMatchObject({ code: "memory.refused" });
    expect(readdirSync(folder)).toEqual(["MEMORY.md"]);
  });

  it("are told of as they are now, in the same words whoever saw them first", async () => {
    const { home, memory, write, look, desk, found } = await openHome();
    const deep = `main/tg/${"d/".repeat(14)}deep.md`;
    const link = join(home, "memory/main/tg/link.md");
    write("main/tg/two\nlines.md", "x\n");
    write(deep, "The mole digs.\n");
    symlinkSync("album.md", link);
    const paths = ["main/tg/two\nlines.md", "main/tg/link.md", deep];
    await memory.parts.refresh(paths, "changed");
    expect((await desk.list()).skipped).toEqual([
      { path: `main/tg/${"d/".repeat(14)}`.slice(0, -1), reason: "it lies too deep" },
      { path: "main/tg/link.md", reason: "it is a symbolic link" },
      { path: "main/tg/two\nlines.md", reason: "its name has characters that cannot be shown" },
    ]);
    expect(await found("mole")).toEqual([]);
    await look();
    rmSync(link);
    rmSync(join(home, "memory/main/tg/d"), { recursive: true });
    rmSync(join(home, "memory/main/tg/two\nlines.md"));
    await memory.parts.refresh(paths, "changed");
    expect((await desk.list()).skipped).toEqual([]);
  });

  it("are what their names say: long ones, signs, a folder that moves, a folder where a file was, a text beside a picture", async () => {
    const { home, write, look, found, desk } = await openHome();
    const root = join(home, "memory/main/tg");
    write("main/tg/🍅 notes.md", "- The tomatoes are red.\n");
    write(`main/tg/${"n".repeat(250)}.md`, "- A long name is no fault.\n");
    write("main/tg/trip/plan.md", "- The ferry leaves at noon.\n");
    write("main/tg/list.md", "- Milk and bread.\n");
    write("main/tg/beach.jpg", new Uint8Array([0xff, 0xd8, 0]));
    write("main/tg/beach.jpg.md", "Anna builds a sandcastle.\n");
    write("shared/concepts/logo.md", "![The old lighthouse](logo.png)\n");
    await look();
    expect(await found("tomatoes")).toEqual(["main/tg/🍅 notes.md"]);
    expect(await found("long name fault")).toEqual([`main/tg/${"n".repeat(250)}.md`]);
    expect(await found("sandcastle")).toEqual(["main/tg/beach.jpg.md"]);
    expect(await found("lighthouse")).toEqual(["shared/concepts/logo.md"]);
    renameSync(join(root, "trip"), join(root, "journey"));
    rmSync(join(root, "list.md"));
    write("main/tg/list.md/inside.md", "- Eggs and butter.\n");
    await look();
    expect(await found("ferry")).toEqual(["main/tg/journey/plan.md"]);
    expect(await found("milk")).toEqual([]);
    expect(await found("butter")).toEqual(["main/tg/list.md/inside.md"]);
    expect((await desk.list()).skipped).toEqual([]);
    const [gone] = await desk.log({ path: "main/tg/list.md", limit: 1 });
    expect(gone).toMatchObject({ kind: "edit", after: null });
  });

  it("leave past tasks found when the index is made anew", async () => {
    const { hive, memory, index, desk } = await openHome();
    await hive.say("Which bakery is open on Sunday?");
    await hive.engine.settled();
    await desk.reindex();
    await memory.looked();
    expect(await index.documents()).toMatchObject([{ path: "task/t2", kind: "task" }]);
  });

  it("that moved while nobody looked are noted as gone before they are noted as new", async () => {
    const first = await openHome();
    first.write("main/tg/old/notes.md", "- The tomatoes are red.\n");
    await first.look();
    await first.close();
    rmSync(join(first.home, "data/memory.db"));
    renameSync(join(first.home, "memory/main/tg/old"), join(first.home, "memory/main/tg/new"));
    const second = await openHome(first.home);
    expect(await second.found("tomatoes")).toEqual(["main/tg/new/notes.md"]);
    const paths = (await second.desk.log({ limit: 2 })).map(({ path }) => path);
    expect(paths).toEqual(["main/tg/new/notes.md", "main/tg/old/notes.md"]);
  });

  it("are found again after the index was deleted", async () => {
    const first = await openHome();
    first.write("main/tg/notes.md", "- The tomatoes are red.\n");
    await first.look();
    await first.close();
    for (const name of readdirSync(join(first.home, "data")))
      if (name.startsWith("memory.db")) rmSync(join(first.home, "data", name));
    const second = await openHome(first.home);
    expect(await second.found("tomatoes")).toEqual(["main/tg/notes.md"]);
    expect(await second.desk.log({ limit: 5 })).toHaveLength(1);
  });

  it("are kept while the index cannot be made anew, and found within a minute once it can", async () => {
    const { home, write, look, found, desk } = await openHome();
    write("main/tg/notes.md", "- The tomatoes are red.\n");
    await look();
    const inTheWay = join(home, "data/memory.db-journal");
    mkdirSync(inTheWay);
    await expect(desk.reindex()).rejects.toMatchObject({ code: "index.unavailable" });
    write("main/tg/later.md", "- The cucumbers are green.\n");
    await look();
    expect(await desk.log({ limit: 5 })).toHaveLength(2);
    rmSync(inTheWay, { recursive: true });
    await look();
    expect(await found("tomatoes")).toEqual(["main/tg/notes.md"]);
    expect(await found("cucumbers")).toEqual(["main/tg/later.md"]);
  });
});

/** Every byte below, compressed or not. */
function holding(directory: string, secret: string | Buffer): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const content = readFileSync(path);
      const isCompressed = content[0] === 0x1f && content[1] === 0x8b;
      return (isCompressed ? gunzipSync(content) : content).includes(secret);
    });
}

/** A run has been shown these; no model call is needed for that. */
async function remind(store: RowStore, texts: readonly string[]): Promise<void> {
  const partition = "main/tg";
  const where = { path: "main/tg/MEMORY.md", partition, line_start: 3, line_end: 3, heading: "" };
  const hits = texts.map((text) => ({
    ...where,
    score: 1,
    kind: "memory" as const,
    text,
    origins: [],
  }));
  store.begin();
  store.put(recallTable, { run_id: "r1", session_id: "s1", at: memoryNow, hits });
  await store.commit();
}

describe("what is forgotten", () => {
  it("M05: is in no file, no version, no index, no row and no log of a database", async () => {
    const { home, memory, write, look, found, desk } = await openHome();
    const { signal } = new AbortController();
    await memory.parts.memories.of(place).write({
      target: { to: "daily" },
      entry: { text: "The vault code is zq4711zq.", origins: [] },
      key: "k1",
      session_id: "s1",
      trace_id: "t1",
      signal,
    });
    write("main/tg/MEMORY.md", "# Memory\n\n- the vault code is zq4711zq.\n- Tea is green.\n");
    await look();
    write("main/tg/MEMORY.md", "# Memory\n\n- Tea is green.\n- Vault: zq4711zq\n");
    await look();
    expect(await found("vault")).toHaveLength(2);
    expect(holding(home, "zq4711zq").length).toBeGreaterThan(3);
    const forgotten = await desk.forget({ text: "ZQ4711zq" }, { by: "cli" });
    expect(forgotten.map(({ path, removed }) => [path, removed])).toEqual([
      ["main/tg/2026-11-22.md", 1],
      ["main/tg/MEMORY.md", 1],
    ]);
    expect(holding(home, "zq4711zq")).toEqual([]);
    expect(await found("vault")).toEqual([]);
    expect(await found("tea")).toEqual(["main/tg/MEMORY.md"]);
    const [last] = await desk.log({ limit: 1 });
    expect(last).toMatchObject({ kind: "forget", by: "cli", reason: "" });
    for (const { change_id } of await desk.log({ limit: 20 })) await desk.diffOf(change_id);
  });

  it("M05: is nothing that a run is reminded of any more", async () => {
    const { hive, write, look, desk } = await openHome();
    write("main/tg/MEMORY.md", "- The vault code is zq4711zq.\n- Tea is green.\n");
    await look();
    await remind(hive.store, ["- The vault code is zq4711zq.", "Tea is green."]);
    await desk.forget({ text: "zq4711zq" }, { by: "cli" });
    const [recalled] = await hive.engine.read.select(recallTable, { index: "key" });
    expect(recalled?.hits.map(({ text }) => text)).toEqual(["Tea is green."]);
  });

  it("M05: is in no past task that is found, also not after the index is made anew, nor after a restart", async () => {
    const first = await openHome();
    const { home, hive, write, look, desk } = first;
    write("main/tg/MEMORY.md", "- The safe word is zq4711zq.\n");
    await look();
    const told = async (text: string) => {
      await hive.say(text);
      await hive.engine.settled();
      await desk.reindex();
      return tasks(first);
    };
    const tasks = async ({ index }: typeof first) =>
      (await index.documents()).filter(({ kind }) => kind === "task").map(({ path }) => path);
    const inIndex = () =>
      holding(join(home, "data"), "zq4711zq").filter((path) => path.includes("memory.db"));
    const bakery = await told("Which bakery is open on Sunday?");
    expect(bakery).toHaveLength(1);
    expect(await told("Please keep in mind that the safe word is zq4711zq")).toHaveLength(2);
    expect(inIndex()).not.toEqual([]);
    await desk.forget({ text: "ZQ4711zq" }, { by: "cli" });
    expect(await tasks(first)).toEqual(bakery);
    expect(inIndex()).toEqual([]);
    await desk.reindex();
    expect(await tasks(first)).toEqual(bakery);
    await first.close();
    const second = await openHome(home);
    expect(await tasks(second)).toEqual(bakery);
    expect(inIndex()).toEqual([]);
  });

  it("M05: is in no version that was saved in another encoding, and in no file that is left out", async () => {
    const { home, write, look, desk } = await openHome();
    write("main/tg/MEMORY.md", Buffer.from("- Caf\u00e9 code zq4711zq.\n- Tea.\n", "latin1"));
    await look();
    write("main/tg/MEMORY.md", Buffer.from("- Caf\u00e9 code zq4711zq.\n", "utf16le"));
    await look();
    write("main/tg/MEMORY.md", "- Tea is green.\n");
    await look();
    write("stray.md", "- Caf\u00e9 code zq4711zq.\n");
    expect((await desk.seek({ text: "caf\u00e9 code" })).earlierVersions).toBe(2);
    expect(await desk.forget({ text: "caf\u00e9 code" }, { by: "cli" })).toEqual([]);
    rmSync(join(home, "memory/stray.md"));
    const wide = Buffer.from("zq4711zq", "utf16le");
    expect([...holding(home, "zq4711zq"), ...holding(home, wide)]).toEqual([]);
    for (const { change_id } of await desk.log({ limit: 20 })) await desk.diffOf(change_id);
  });

  it("may stand over two lines of a paragraph, otherwise in an older version, and goes with these lines alone", async () => {
    const { home, write, look, desk } = await openHome();
    write("main/tg/MEMORY.md", "The vault code is\nzq4711zq, says Ann, so\nthat we know.\nTea.\n");
    await look();
    write(
      "main/tg/MEMORY.md",
      "> The vault\n> code is zq4711zq, says\n> Ann.\n\nThe vault\n\n- The vault\n- code is open\n",
    );
    await look();
    const { passages } = await desk.seek({ text: "vault code is ZQ4711zq" });
    expect(passages.map(({ text }) => text)).toEqual(["> The vault\n> code is zq4711zq, says"]);
    await desk.forget({ text: "vault code is ZQ4711zq" }, { by: "cli" });
    const left = "> Ann.\n\nThe vault\n\n- The vault\n- code is open\n";
    expect(readFileSync(join(home, "memory/main/tg/MEMORY.md"), "utf8")).toBe(left);
    expect(holding(home, "zq4711zq")).toEqual([]);
  });

  it("may be thousands of memories, in as many versions", async () => {
    const { home, write, look, desk } = await openHome();
    const entries = Array.from(
      { length: 1_000 },
      (_, at) => `- The vault code ${at} is zq4711zq.\n`,
    );
    write("main/tg/MEMORY.md", entries.join(""));
    await look();
    write("main/tg/MEMORY.md", `${entries.slice(1).join("")}- Tea is green.\n`);
    await look();
    const forgotten = await desk.forget({ text: "zq4711zq" }, { by: "cli" });
    expect(forgotten).toMatchObject([{ path: "main/tg/MEMORY.md", removed: 999 }]);
    expect(holding(home, "zq4711zq")).toEqual([]);
  });

  it("is refused where nothing says so", async () => {
    const { desk } = await openHome();
    await expect(desk.forget({ text: "nothing" }, { by: "cli" })).rejects.toMatchObject({
      code: "memory.not_found",
    });
  });
});
