import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MemoryIndex, MemoryQuery } from "../../src/ports/memory-index.ts";
import type { MemoryChunk, MemoryDocument } from "../../src/schema/memory.ts";

function chunk(text: string, line = 1, heading = ""): MemoryChunk {
  return { text, heading, line_start: line, line_end: line, origins: [] };
}

export function documentOf(
  path: string,
  texts: readonly string[],
  changes: Partial<MemoryDocument> = {},
): MemoryDocument {
  const [agent = "", connector = ""] = path.split("/");
  return {
    path,
    partition: `${agent}/${connector}`,
    kind: "memory",
    version: texts.join("|"),
    chunks: texts.map((text, at) => chunk(text, at + 1)),
    ...changes,
  };
}

export function question(text: string, changes: Partial<MemoryQuery> = {}): MemoryQuery {
  return { text, partitions: ["main/local"], kinds: ["memory"], limit: 10, ...changes };
}

/** What every MemoryIndex promises, whatever it keeps. */
export function describeMemoryIndexContract(name: string, open: () => Promise<MemoryIndex>): void {
  describe(`the contract of memory's index: ${name}`, () => {
    let index: MemoryIndex;
    const textsOf = async (text: string, changes: Partial<MemoryQuery> = {}) =>
      (await index.search(question(text, changes))).map((hit) => hit.text);

    beforeEach(async () => {
      index = await open();
    });
    afterEach(() => index.close());

    it("finds a text by its words, and says where it stands and whose it is", async () => {
      const told: MemoryChunk = {
        text: "- Anna's birthday is on May 3rd.",
        heading: "2026-11-22 > People",
        line_start: 4,
        line_end: 5,
        origins: ["user:1001"],
      };
      await index.put(documentOf("main/local/MEMORY.md", [], { chunks: [told, chunk("tea")] }));
      const [hit, ...others] = await index.search(question("when is Anna's birthday?"));
      expect(hit).toMatchObject({
        ...told,
        path: "main/local/MEMORY.md",
        partition: "main/local",
        kind: "memory",
      });
      expect(hit?.score).toBeGreaterThan(0);
      expect(hit?.score).toBeLessThanOrEqual(1);
      expect(others.every(({ score }) => score <= (hit?.score ?? 0))).toBe(true);
    });

    it("finds a text by its heading, and by its caption where it is a picture", async () => {
      await index.put(
        documentOf("main/local/a.md", [], {
          chunks: [
            chunk("Everything about clay.", 1, "Pottery"),
            chunk("![the cat on the roof](files/cat.png)", 2),
          ],
        }),
      );
      expect(await textsOf("pottery", { limit: 1 })).toEqual(["Everything about clay."]);
      expect(await textsOf("roof", { limit: 1 })).toEqual([
        "![the cat on the roof](files/cat.png)",
      ]);
    });

    it("finds what is written in a script without spaces by a part of it", async () => {
      await index.put(documentOf("main/local/a.md", ["今日は東京で会議がありました"]));
      expect(await textsOf("東京")).toEqual(["今日は東京で会議がありました"]);
    });

    it("takes every word of a question for a word (I06)", async () => {
      await index.put(documentOf("main/local/a.md", ["near the near star", "100 % of it_all"]));
      await index.put(documentOf("other/local/a.md", ["near secret star"]));
      const hostile = [
        'near"',
        "NEAR(star near, 2)",
        "near*",
        "near AND",
        "part : p2 OR near",
        "{own ctx} : near",
        "near' OR 1=1 --",
        "^near + star",
        "near\u0000star",
        "-near",
        "near % _ \\",
        "(((near",
      ];
      for (const text of hostile) {
        const hits = await index.search(question(text));
        expect([text, hits[0]?.text]).toEqual([text, "near the near star"]);
        expect(hits.every(({ partition }) => partition === "main/local")).toBe(true);
      }
      for (const text of ["", "  ", '"', "*", "()", "%", "\uD800", "🦀"]) {
        expect((await textsOf(text)).length).toBeLessThanOrEqual(2);
      }
    });

    it("finds what has half a character in its text, its heading or its origins", async () => {
      const cut = chunk("the loaf \ud83d of rye", 1, "Bread \udc00");
      const document = documentOf("main/local/a.md", [], {
        chunks: [{ ...cut, origins: ["web:\ud800.example"] }],
      });
      await index.put(document);
      await index.put({ ...document, version: "2" });
      const [hit] = await index.search(question("loaf \ud83d of rye"));
      expect(hit?.text).toMatch(/^the loaf .+ of rye$/u);
      expect(hit?.heading).toMatch(/^Bread .+$/u);
      expect(hit?.origins).toEqual([expect.stringMatching(/^web:.+\.example$/u)]);
      expect(await index.search(question("rye", { except: [document.path] }))).toEqual([]);
    });

    it("searches in the asked partitions and kinds alone", async () => {
      await index.put(documentOf("main/local/a.md", ["the word lighthouse"]));
      await index.put(documentOf("main/tg/a.md", ["a lighthouse elsewhere"]));
      await index.put(
        documentOf("task/1", ["asked for the lighthouse"], {
          partition: "main/local",
          kind: "task",
        }),
      );
      expect(await textsOf("lighthouse")).toEqual(["the word lighthouse"]);
      expect(await textsOf("lighthouse", { kinds: ["task"] })).toEqual([
        "asked for the lighthouse",
      ]);
      const both = await textsOf("lighthouse", { partitions: ["main/local", "main/tg"] });
      expect(both.toSorted()).toEqual(["a lighthouse elsewhere", "the word lighthouse"]);
      expect(await textsOf("lighthouse", { partitions: [] })).toEqual([]);
      expect(await textsOf("lighthouse", { kinds: [] })).toEqual([]);
      expect(await index.partitions()).toEqual(["main/local", "main/tg"]);
    });

    it("searches as if the documents that are excepted were not there", async () => {
      await index.put(documentOf("main/local/a.md", ["lighthouse keeper of the north"]));
      await index.put(documentOf("main/local/b.md", ["a lighthouse in the fog"]));
      const asked = {
        text: "lighthouse keeper north",
        except: ["main/local/a.md", "main/local/x"],
      };
      expect(await textsOf(asked.text)).toContain("lighthouse keeper of the north");
      expect(await textsOf(asked.text, asked)).toEqual(["a lighthouse in the fog"]);
    });

    it("returns no more than asked for", async () => {
      const many = Array.from({ length: 30 }, (_, at) => `apple number ${at}`);
      await index.put(documentOf("main/local/a.md", many));
      expect(await textsOf("apple", { limit: 7 })).toHaveLength(7);
      expect(await textsOf("apple", { limit: 0 })).toEqual([]);
    });

    it("replaces a document whole, also where it changes its partition", async () => {
      await index.put(documentOf("main/local/a.md", ["first apple", "second pear", "third plum"]));
      await index.put(documentOf("main/local/a.md", ["second pear", "fourth apple"]));
      expect(await textsOf("first")).toEqual([]);
      expect(await textsOf("pear", { limit: 1 })).toEqual(["second pear"]);
      expect((await index.stats()).chunks).toBe(2);
      const moved = documentOf("main/local/a.md", ["second pear"], { partition: "main/tg" });
      await index.put(moved);
      expect(await textsOf("pear")).toEqual([]);
      expect(await textsOf("pear", { partitions: ["main/tg"] })).toEqual(["second pear"]);
      expect(await index.partitions()).toEqual(["main/tg"]);
    });

    it("knows the version of each document", async () => {
      await index.put(documentOf("main/local/b.md", ["b"], { version: "v1" }));
      await index.put(documentOf("main/local/a.md", [], { version: "v1" }));
      await index.put(documentOf("main/local/b.md", ["b"], { version: "v2" }));
      const known = await index.documents();
      expect(known.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
        { path: "main/local/a.md", version: "v1", kind: "memory" },
        { path: "main/local/b.md", version: "v2", kind: "memory" },
      ]);
      expect(await index.stats()).toMatchObject({ documents: 2, chunks: 1, trouble: null });
    });

    it("removes documents, and minds none that it does not know", async () => {
      await index.put(documentOf("main/local/a.md", ["some pears"]));
      await index.put(documentOf("main/tg/b.md", ["more pears"]));
      await index.remove(["main/local/a.md", "main/local/none.md", "main/tg/b.md"]);
      await index.remove(["main/local/a.md"]);
      await index.remove([]);
      expect(await textsOf("pears")).toEqual([]);
      expect(await index.documents()).toEqual([]);
      expect(await index.partitions()).toEqual([]);
    });

    it("forgets all when it is cleared, and goes on", async () => {
      await index.put(documentOf("main/local/a.md", ["some pears"]));
      await index.clear();
      expect(await index.documents()).toEqual([]);
      expect(await textsOf("pears")).toEqual([]);
      await index.put(documentOf("main/local/a.md", ["some pears"]));
      expect(await textsOf("pears")).toEqual(["some pears"]);
    });

    it("does many things at once", async () => {
      const paths = Array.from({ length: 20 }, (_, at) => `main/local/${at}.md`);
      await Promise.all(
        paths.map(async (path) => {
          await index.put(documentOf(path, [`apple of ${path}`, "unrelated"]));
          await index.search(question("apple"));
        }),
      );
      // While some have no vector yet, those that have one may leave them behind.
      const all = () => textsOf("apple", { limit: 100 });
      await vi.waitFor(async () => expect(await all()).toHaveLength(20));
    });

    it("gives up a search that nobody waits for", async () => {
      await index.put(documentOf("main/local/a.md", ["some pears"]));
      const search = index.search(question("pears", { signal: AbortSignal.abort() }));
      await expect(search).rejects.toMatchObject({ code: "activity.aborted" });
    });

    it("refuses everything once it is closed, twice too", async () => {
      await Promise.all([index.close(), index.close()]);
      const refused = { code: "index.closed" };
      await expect(index.search(question("x"))).rejects.toMatchObject(refused);
      await expect(index.put(documentOf("a/b/c.md", ["x"]))).rejects.toMatchObject(refused);
      await expect(index.remove(["a/b/c.md"])).rejects.toMatchObject(refused);
      await expect(index.stats()).rejects.toMatchObject(refused);
      await expect(index.clear()).rejects.toMatchObject(refused);
    });
  });
}
