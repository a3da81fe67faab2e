import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
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
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { createFakeEmbedder } from "../../../src/adapters/embedder/fake-embedder.ts";
import { LibsqlConnection } from "../../../src/adapters/libsql/libsql-connection.ts";
import type { MemoryIndexOptions } from "../../../src/adapters/memory-index/index-options.ts";
import { openMemoryIndex } from "../../../src/adapters/memory-index/open-memory-index.ts";
import type { AgentError } from "../../../src/schema/errors.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import { documentOf, question } from "../../contracts/memory-index.contract.ts";

const newFile = () => join(mkdtempSync(join(tmpdir(), "index-file-")), "memory.db");

function open(file: string, changes: Partial<MemoryIndexOptions> = {}) {
  const settings = memorySettings({ relative_cut: 0 });
  const clock = createSimulatedClock();
  return openMemoryIndex({ file, settings, clock, embedder: null, log: () => {}, ...changes });
}

const bytesBeside = (file: string) =>
  readdirSync(dirname(file)).map((name) =>
    readFileSync(join(dirname(file), name)).toString("latin1"),
  );

/** Without its first letters: FTS5 keeps only what differs from the word before. */
const isLeft = (file: string, word: string) =>
  bytesBeside(file).some((bytes) => bytes.includes(word.slice(2)));

describe("the file of memory's index", () => {
  it("holds nothing of what was removed, neither in the file nor in the log beside it (M05)", async () => {
    const file = newFile();
    const index = await open(file, { embedder: createFakeEmbedder() });
    const others = Array.from({ length: 300 }, (_, at) => `apple ${at} of the tree`);
    await index.put(documentOf("main/local/others.md", others));
    await index.put(documentOf("main/local/a.md", ["pear", "a zauberwort here", "plum", "fig"]));
    await index.put(documentOf("main/local/whole.md", ["the kryptonit", "xylophons"]));
    await index.put(documentOf("main/local/too.md", ["a quetzalcoat"]));
    await expect.poll(async () => (await index.stats()).embedded).toBe(307);
    const words = ["zauberwort", "kryptonit", "xylophon", "quetzalcoat"];
    expect(words.every((word) => isLeft(file, word))).toBe(true);
    await index.put(documentOf("main/local/a.md", ["pear", "plum", "fig"]));
    await index.remove(["main/local/whole.md", "main/local/none.md", "main/local/too.md"]);
    expect(words.some((word) => isLeft(file, word))).toBe(false);
    expect(await index.stats()).toMatchObject({ chunks: 303, embedded: 303 });
    await index.close();
  });

  it("is for its owner alone, and is made with its directory", async () => {
    const file = join(newFile(), "deep", "memory.db");
    const index = await open(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await index.close();
  });

  it("keeps what it holds, and does not make a vector twice", async () => {
    const file = newFile();
    const asked: number[] = [];
    const embedder = createFakeEmbedder({ onEmbed: (inputs) => void asked.push(inputs.length) });
    const first = await open(file, { embedder });
    await first.put(documentOf("main/local/a.md", ["one apple", "two pears"]));
    await expect.poll(async () => (await first.stats()).embedded).toBe(2);
    await first.close();
    const second = await open(file, { embedder });
    await second.put(documentOf("main/local/a.md", ["two pears", "new plums", "one apple"]));
    await second.put(documentOf("main/tg/b.md", ["one apple"]));
    await expect.poll(async () => (await second.stats()).embedded).toBe(4);
    expect(asked.reduce((sum, count) => sum + count)).toBe(3);
    await second.close();
  });

  it.each([
    ["no database", (file: string) => writeFileSync(file, "what somebody else keeps here")],
    [
      "a database of somebody else",
      (file: string) => {
        const other = new LibsqlConnection(file, 0);
        other.exec("CREATE TABLE letters(text TEXT)");
        other.close();
      },
    ],
  ])("puts %s aside and begins anew", async (_, place) => {
    const file = newFile();
    place(file);
    const before = readFileSync(file);
    const logged: string[] = [];
    const index = await open(file, { log: (level) => void logged.push(level) });
    expect(await index.documents()).toEqual([]);
    await index.close();
    const [aside = ""] = readdirSync(dirname(file)).filter((name) => name.includes("aside"));
    expect(readFileSync(join(dirname(file), aside))).toEqual(before);
    expect(logged).toEqual(["warn"]);
  });

  it("begins anew where the file is damaged, of another layout, or gone", async () => {
    const file = newFile();
    const fill = async () => {
      const index = await open(file);
      const many = Array.from({ length: 400 }, (_, at) => `apple ${at}`);
      await index.put(documentOf("main/local/a.md", many));
      await index.close();
    };
    const documentsAfter = async (harm: (bytes: Buffer) => Buffer) => {
      await fill();
      writeFileSync(file, harm(readFileSync(file)));
      const index = await open(file);
      const known = await index.documents();
      await index.put(documentOf("main/local/b.md", ["a pear"]));
      const hits = await index.search(question("pear"));
      await index.close();
      return [known.length, hits.length];
    };
    expect(await documentsAfter((bytes) => bytes.fill(0xaa, 4096, 60_000))).toEqual([0, 1]);
    expect(await documentsAfter((bytes) => bytes.subarray(0, 30_000))).toEqual([0, 1]);
    expect(await documentsAfter((bytes) => bytes.fill(9, 60, 64))).toEqual([0, 1]);
    expect(await documentsAfter(() => Buffer.alloc(0))).toEqual([0, 1]);
  });

  it("works again by itself where it could not be begun anew, once what stood in its way is gone", async () => {
    const file = newFile();
    const index = await open(file);
    await index.put(documentOf("main/local/a.md", ["an apple"]));
    const inTheWay = `${file}-journal`;
    mkdirSync(inTheWay);
    await expect(index.clear()).rejects.toMatchObject({ code: "index.unavailable" });
    const put = () => index.put(documentOf("main/local/a.md", ["a pear"]));
    await expect(put()).rejects.toMatchObject({ code: "index.unavailable" });
    rmSync(inTheWay, { recursive: true });
    const [, known] = await Promise.all([put(), index.documents()]);
    expect(known.length).toBeLessThan(2);
    expect(await index.search(question("pear"))).toHaveLength(1);
    await index.close();
  });

  it("says what is the matter where there can be no file", async () => {
    const file = newFile();
    writeFileSync(file, "");
    await expect(open(join(file, "memory.db"))).rejects.toMatchObject({
      code: "index.unavailable",
    });
    expect(existsSync(file)).toBe(true);
  });

  it("indexes the words anew when another number of neighbours is set", async () => {
    const file = newFile();
    const first = await open(file);
    await first.put(documentOf("main/local/a.md", ["apple", "pear", "plum", "fig"]));
    expect(await first.search(question("apple"))).toHaveLength(3);
    await first.close();
    const settings = memorySettings({ relative_cut: 0, context_chunks: 1 });
    const second = await open(file, { settings });
    expect(await second.search(question("apple"))).toHaveLength(2);
    await second.remove(["main/local/a.md"]);
    expect(await second.search(question("pear"))).toHaveLength(0);
    await second.close();
  });

  it.each([
    ["a folder", "EISDIR", (file: string) => mkdirSync(file)],
    ["a link to itself", "ELOOP", (file: string) => symlinkSync(file, file)],
  ])("leaves %s in its place alone, and says what to do", async (_, why, make) => {
    const file = newFile();
    make(file);
    const refused = (await open(file).catch((error: unknown) => error)) as AgentError;
    expect(refused).toMatchObject({ code: "index.unavailable" });
    expect(refused.message).toMatch(`the index of memory cannot be at ${file}: ${why}`);
    expect(refused.hint).toMatch(`move away what stands at ${file}`);
    expect(lstatSync(file).isFile()).toBe(false);
    rmSync(file, { recursive: true });
    await (await open(file)).close();
  });

  it("is left to the process that has it open", async () => {
    const file = newFile();
    const holder = fileURLToPath(new URL("../../support/lock-holder.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", holder, `${file}.owner`]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    await expect(open(file)).rejects.toMatchObject({
      code: "index.unavailable",
      message: `${file} is open already, in another process`,
    });
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await open(file)).close();
  });

  it("answers after many edits as an index that never knew another state", async () => {
    const file = newFile();
    const edited = await open(file);
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % below;
    };
    const text = () => Array.from({ length: 6 }, () => `w${random(40)}`).join(" ");
    const files = new Map<string, string[]>();
    for (let round = 0; round < 60; round += 1) {
      const path = `main/local/${random(8)}.md`;
      const texts = [...(files.get(path) ?? Array.from({ length: 30 }, text))];
      texts.splice(random(texts.length + 1), random(3), ...Array.from({ length: random(4) }, text));
      files.set(path, texts);
      await edited.put(documentOf(path, texts));
      if (round % 9 === 8) {
        await edited.remove([path]);
        files.delete(path);
      }
    }
    const fresh = await open(newFile());
    for (const [path, texts] of files) await fresh.put(documentOf(path, texts));
    for (let word = 0; word < 40; word += 3) {
      const asked = question(`w${word} w${word + 1}`, { limit: 500 });
      const [found, expected] = [await edited.search(asked), await fresh.search(asked)];
      const keyed = (hits: typeof found) =>
        hits.map((hit) => `${hit.score.toFixed(6)} ${hit.path} ${hit.line_start}`).toSorted();
      expect(keyed(found)).toEqual(keyed(expected));
    }
    await Promise.all([edited.close(), fresh.close()]);
    const connection = new LibsqlConnection(file, 0);
    connection.exec("INSERT INTO chunk_fts(chunk_fts, rank) VALUES('integrity-check', 1)");
    connection.close();
  });
});
