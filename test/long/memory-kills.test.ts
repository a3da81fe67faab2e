import { createHash, randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createSystemClock } from "../../src/adapters/clock/system-clock.ts";
import { openReadOnly } from "../../src/adapters/engine/open-read-only.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { openLinuxMemoryFiles } from "../../src/adapters/memory-files/linux-memory-files.ts";
import { openMemoryIndex } from "../../src/adapters/memory-index/open-memory-index.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { IndexKeeper } from "../../src/app/memory/keeping/keep-index.ts";
import { parseEntries } from "../../src/memory/entries/entries.ts";
import { memorySettings } from "../../src/memory/settings.ts";
import type { MemoryIndex } from "../../src/ports/memory-index.ts";
import { memoryChangeTable, memoryFileTable } from "../../src/schema/rows/memory-rows.ts";
import { type RecordedRequest, type Reply, says } from "../support/anthropic-server.ts";
import { driveJobs, type JobDriver } from "../support/job-driver.ts";
import { createJobHome } from "../support/jobs.ts";
import { editMemory, type MemoryEditor } from "../support/memory-editor.ts";

/** The model writes memories, a person edits, restores and forgets, and the service dies again and again. */

const agent = `id: main
tools: { allow: [memory_write] }
capabilities: { boundary: ["memory.write:own"], grant: ["memory.write:own"], deny: [] }
limits: { run_timeout_ms: 120000 }
`;
const mainYaml = "embeddings: { provider: none }\n";
const kills = 10;
const items = 20;
const archived = 250;
const secret = "zq4711zq";

/** The same seed, the same choices; what the machine does meanwhile is its own. */
function choices(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sentence = (item: number) => `Shelf ${item} in the storeroom has the mark k${item}k.`;

/** @param told what the model was told that stands in memory */
const remembering =
  (told: Set<number>) =>
  ({ messages }: RecordedRequest): Reply => {
    const last = messages.at(-1)?.content ?? "";
    const blocks = typeof last === "string" ? [{ type: "text", text: last }] : last;
    const result = blocks.find(({ type }) => type === "tool_result");
    if (result !== undefined) {
      if (JSON.stringify(result).includes("Written to"))
        told.add(Number(String(result["tool_use_id"]).slice("toolu_".length)));
      return says("noted");
    }
    const item = /remember item-(\d+)"$/.exec(JSON.stringify(blocks.at(-1)?.["text"] ?? ""))?.[1];
    if (item === undefined) return says("nothing to do");
    const input = { text: sentence(Number(item)) };
    return {
      content: [{ type: "tool_use", id: `toolu_${item}`, name: "memory_write", input }],
    };
  };

type Living = Home & {
  readonly driver: JobDriver;
  readonly editor: MemoryEditor;
  readonly choose: (below: number) => number;
};

/** Dies often while it starts, and after it has lived long enough to have seen everything before a call was cut three times. */
async function killAgainAndAgain({ driver, editor, choose }: Living): Promise<void> {
  let startMs = 0;
  for (let killed = 0; killed < kills; killed += 1) {
    const from = Date.now();
    // On a busy machine all takes longer, what is done after the start too.
    const wait = killed % 3 === 2 ? 2_600 : 20 + choose(Math.max(400, startMs));
    await new Promise((resolve) => setTimeout(resolve, wait));
    const { length } = driver.lives();
    const until = Date.now();
    editor.lived(from, until);
    await driver.kill();
    while (driver.lives().length === length) await driver.breathe();
    startMs = Date.now() - until;
    editor.started(startMs);
  }
}

async function use(living: Living, isOver: () => boolean): Promise<string[]> {
  const { driver, editor, choose } = living;
  const texts: string[] = [];
  for (let step = 0; !isOver() || texts.length < items; step += 1) {
    editor.save(`main/local/notes-${step % 3}.md`, `# Notes\n\n- version ${step} of these\n`);
    if (texts.length < items) {
      texts.push(`remember item-${texts.length + 1}`);
      await driver.send(texts.slice(-1));
    }
    const daily = dailyFiles(living)[0];
    if (daily !== undefined && step % 2 === 0) editor.append(daily, `- by hand, line h${step}h`);
    if (step % 4 === 3) await takeBack(living, "main/local/scratch.md", step);
    if (step === 12) await forgetSecret(living);
    await new Promise((resolve) => setTimeout(resolve, choose(120)));
  }
  return texts;
}

/** An own file is saved, and its newest change taken back, whatever became of the answer. */
async function takeBack({ driver, editor }: Living, path: string, step: number): Promise<void> {
  editor.save(path, `# Scratch\n\n- draft ${step}\n`);
  const [change] = await driver.call(({ call }) => call("memory.log", { path, limit: 1 }));
  if (change === undefined) return;
  await unlessChanged(() => driver.call(({ call }) => call("memory.restore", { id: change.id })));
}

/** Asked again because the service died in between, it is done already. */
async function unlessChanged(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    const { code = "" } = thrown as { code?: string };
    if (!["memory.changed", "memory.not_found"].includes(code)) throw thrown;
    return false;
  }
}

async function forgetSecret({ driver }: Living): Promise<void> {
  const text = secret;
  for (;;) {
    const isGone = !(await unlessChanged(async () => {
      const { binding } = await driver.call(({ call }) => call("memory.forget", { text }));
      await unlessChanged(() =>
        driver.call(({ call }) => call("memory.forget", { text, binding })),
      );
    }));
    if (isGone) return;
  }
}

/** The last service has seen the last of every file. */
async function expectSeen({ editor, ...home }: Living): Promise<void> {
  const unseen = () => {
    const texts = new Set(keptVersions(home).values());
    const last = [...editor.last()].filter(([, text]) => !text.includes(secret));
    return last.filter(([, text]) => !texts.has(text)).map(([path]) => path);
  };
  await expect.poll(unseen, { timeout: 120_000 }).toEqual([]);
  expect(readdirSync(join(home.root, "main/local")).length).toBeGreaterThan(4);
}

type Home = { readonly root: string; readonly data: string };

function dailyFiles({ root }: Home): string[] {
  const directory = join(root, "main/local");
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter((name) => /^\d{4}-/.test(name)).map((name) => `main/local/${name}`);
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

const hashOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** By their hash, each whole. */
function keptVersions({ data }: Home): Map<string, string> {
  const kept = new Map<string, string>();
  for (const path of filesBelow(join(data, "memory-versions"))) {
    if (path.includes("/notes/")) continue;
    const content = gunzipSync(readFileSync(path));
    expect(hashOf(content)).toBe(path.slice(-64));
    kept.set(hashOf(content), content.toString());
  }
  return kept;
}

/** Each change begins where the one before it ended, and the last with what stands in the file. */
async function expectOneHistory(home: Home, versions: ReadonlyMap<string, string>): Promise<void> {
  const url = `file:${join(home.data, "statehive.db")}`;
  const { committed, close } = await openReadOnly({ url, tables: allTables });
  const changes = await committed.select(memoryChangeTable, { index: "by_n" });
  const files = await committed.select(memoryFileTable, { index: "key" });
  await close();
  const last = new Map<string, string | null>();
  for (const { path, before, after, n } of changes) {
    expect([path, n, before]).toEqual([path, n, last.get(path) ?? null]);
    for (const hash of [before, after]) expect(hash === null || versions.has(hash)).toBe(true);
    last.set(path, after);
  }
  const standing = [...last]
    .filter(([, hash]) => hash !== null)
    .map(([path, hash]) => `${path} ${hash}`);
  const noted = files.map(({ path, hash }) => `${path} ${hash}`);
  expect(noted.toSorted()).toEqual(standing.toSorted());
  const now = filesBelow(home.root).map(
    (path) => `${path.slice(home.root.length + 1)} ${hashOf(readFileSync(path))}`,
  );
  expect(now.toSorted()).toEqual(noted.toSorted());
}

async function expectIndexAsNew({ root, data }: Home): Promise<void> {
  const clock = createSystemClock();
  const settings = memorySettings({ relative_cut: 0 });
  const opening = { settings, embedder: null, clock, log: silentLog };
  const kept = await openMemoryIndex({ ...opening, file: join(data, "memory.db") });
  const fresh = await openMemoryIndex({ ...opening, file: ":memory:" });
  const files = await openLinuxMemoryFiles({ root, clock });
  await new IndexKeeper({ files, index: fresh, settings, log: silentLog }).scan();
  const told = async (index: MemoryIndex) => {
    const documents = await index.documents();
    const found = await Promise.all(
      ["archive page", "storeroom mark", "version of these", "line by hand", secret].map((text) =>
        index.search({ text, partitions: ["main/local"], kinds: ["memory"], limit: 2_000 }),
      ),
    );
    return {
      documents: documents
        .filter(({ kind }) => kind === "memory")
        .map((each) => JSON.stringify(each))
        .toSorted(),
      found: found.map((hits) =>
        hits.map(({ score: _, ...hit }) => JSON.stringify(hit)).toSorted(),
      ),
    };
  };
  const expected = await told(fresh);
  expect(expected.documents.length).toBeGreaterThan(archived);
  expect(expected.found.map(({ length }) => length > 0)).toEqual([true, true, true, true, false]);
  expect(await told(kept)).toEqual(expected);
  await kept.close();
  await fresh.close();
}

const seed = Number(process.env["MEMORY_KILLS_SEED"] ?? randomInt(2 ** 31));

it(`loses no memory, writes none twice and leaves nothing half done through ${kills} kills (seed ${seed})`, async () => {
  const told = new Set<number>();
  const jobs = await createJobHome({ script: remembering(told), mainYaml });
  const home = { root: join(jobs.home, "memory"), data: join(jobs.home, "data") };
  writeFileSync(join(jobs.home, "config/agents.d/main.yaml"), agent, { mode: 0o600 });
  const editor = editMemory(home.root);
  for (let page = 0; page < archived; page += 1)
    editor.save(
      `main/local/archive/page-${page}.md`,
      `# Page ${page}\n\n- Archive page p${page}p\n`,
    );
  for (const name of ["main/local/codes.md", "shared/concepts/codes.md"])
    editor.save(name, `# Codes\n\n- The vault opens with ${secret}\n- The door is open\n`);
  const driver = await driveJobs(jobs);
  const living = { driver, editor, choose: choices(seed), ...home };
  let isOver = false;
  const killing = killAgainAndAgain(living).finally(() => (isOver = true));
  const texts = await use(living, () => isOver);
  await killing;
  await driver.finish(texts);
  await expectSeen(living);
  await driver.stop();

  const versions = keptVersions(home);
  const texted = [...versions.values()];
  expect(editor.owed().filter((text) => !text.includes(secret) && !texted.includes(text))).toEqual(
    [],
  );
  const daily = dailyFiles(home).map((path) => readFileSync(join(home.root, path), "utf8"));
  const said = daily.flatMap((text) => parseEntries(text).map((entry) => entry.text));
  const times = (item: number) => said.filter((text) => text === sentence(item)).length;
  expect(told.size).toBeGreaterThan(items / 2);
  expect([...told].filter((item) => times(item) !== 1)).toEqual([]);
  expect(texts.map((_, index) => times(index + 1)).filter((count) => count > 1)).toEqual([]);
  for (const line of editor.lines())
    expect([line, [...daily, ...texted].some((text) => text.includes(line))]).toEqual([line, true]);
  const left = [...filesBelow(home.root), ...filesBelow(home.data)].filter((path) =>
    /\.statehive-memory-|\.unfinished$|\.tmp$|notes\/staged-/.test(path),
  );
  expect(left).toEqual([]);
  const holding = [...filesBelow(home.root), ...filesBelow(home.data)].filter((path) =>
    (path.includes("/memory-versions/") && !path.includes("/notes/")
      ? Buffer.from(versions.get(path.slice(-64)) ?? "")
      : readFileSync(path)
    ).includes(secret),
  );
  expect(holding).toEqual([]);
  await expectOneHistory(home, versions);
  await expectIndexAsNew(home);
  await jobs.close();
});
