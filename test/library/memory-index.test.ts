import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeEmbedder } from "../../src/adapters/embedder/fake-embedder.ts";
import {
  AgentError,
  createMemoryIndex,
  type CreateMemoryIndexOptions,
  type TextIndex,
} from "../../src/index.ts";

describe("an index of texts in the library", () => {
  const opened: TextIndex[] = [];
  const newUrl = () => `file:${join(mkdtempSync(join(tmpdir(), "texts-")), "texts.db")}`;
  const create = (options: Partial<CreateMemoryIndexOptions> = {}): TextIndex => {
    const index = createMemoryIndex({ url: ":memory:", ...options });
    opened.push(index);
    return index;
  };
  const idsOf = async (index: TextIndex, ...asked: Parameters<TextIndex["search"]>) =>
    (await index.search(...asked)).map(({ id }) => id);

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((index) => index.close()));
  });

  it("is one at a time over a file, and says so to whoever opens a second one", async () => {
    const url = newUrl();
    const [first, second] = [create({ url }), create({ url })];
    await first.add([{ id: "a", text: "apples" }]);
    const refused = await second.add([{ id: "b", text: "pears" }]).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "index.unavailable",
      message: `${url.slice("file:".length)} is open already, in this process`,
      hint: "an index has one owner: use the one that is open, close it first, or take another file",
    });
    await first.close();
    await second.add([{ id: "b", text: "pears" }]);
    expect((await idsOf(second, "apples pears")).toSorted()).toEqual(["a", "b"]);
  });

  it("finds a text by its words", async () => {
    const index = create();
    await index.add([
      { id: "a", text: "Anna was born in May." },
      { id: "b", text: "Bob plays the violin." },
    ]);
    expect(await index.search("who plays a violin?")).toEqual([
      { id: "b", score: 1, text: "Bob plays the violin." },
    ]);
    expect(await index.search("")).toEqual([]);
  });

  it("finds a text by its neighbours in the same source, and by no others", async () => {
    const index = create({ settings: { relative_cut: 0 } });
    await index.add([
      { id: "1", source: "talk", text: "Did you see the lighthouse?" },
      { id: "2", source: "talk", text: "Yes, yesterday." },
      { id: "3", text: "Something else." },
    ]);
    await index.add([{ id: "4", source: "talk", text: "It was closed." }]);
    expect(await idsOf(index, "lighthouse")).toEqual(["1", "2", "4"]);
  });

  it("puts a text in the place of the one that has its id, wherever that is", async () => {
    const index = create();
    await index.add([
      { id: "a", text: "apple", partition: "one" },
      { id: "b", source: "s", text: "pear" },
      { id: "c", source: "s", text: "plum" },
    ]);
    await index.add([
      { id: "a", text: "apple pie", partition: "two" },
      { id: "b", source: "s", text: "peach" },
      { id: "b", source: "s", text: "quince" },
    ]);
    expect(await idsOf(index, "apple", { partition: "one" })).toEqual([]);
    expect(await idsOf(index, "apple", { partition: "two" })).toEqual(["a"]);
    expect(await idsOf(index, "pear peach")).toEqual([]);
    expect((await idsOf(index, "quince"))[0]).toBe("b");
    expect((await index.stats()).chunks).toBe(3);
  });

  it("searches one partition, or all of them", async () => {
    const index = create();
    await index.add([
      { id: "1", partition: "a", text: "green tea" },
      { id: "2", partition: "b", text: "green tea" },
    ]);
    expect(await idsOf(index, "tea", { partition: "b" })).toEqual(["2"]);
    expect((await idsOf(index, "tea")).toSorted()).toEqual(["1", "2"]);
    expect(await idsOf(index, "tea", { partition: "none" })).toEqual([]);
    expect(await idsOf(index, "tea", { limit: 1 })).toHaveLength(1);
  });

  it("keeps its texts in a file, and goes on with them", async () => {
    const url = newUrl();
    const first = create({ url });
    await first.add([{ id: "1", source: "s", text: "green tea" }]);
    await first.close();
    expect(existsSync(url.slice("file:".length))).toBe(true);
    const second = create({ url });
    await second.add([{ id: "2", source: "s", text: "black coffee" }]);
    expect(await idsOf(second, "tea")).toContain("1");
    await second.remove(["1", "unknown"]);
    expect(await idsOf(second, "tea")).toEqual([]);
    expect(await idsOf(second, "coffee")).toEqual(["2"]);
  });

  it("refuses ids that it could not find again, and what is no list of ids", async () => {
    const index = create({ url: newUrl() });
    const refused = { code: "config.invalid" };
    await expect(index.add([{ id: "a\ud800", text: "tea" }])).rejects.toMatchObject(refused);
    for (const ids of ["1", [1]])
      await expect(index.remove(ids as never)).rejects.toMatchObject(refused);
  });

  it("finds by likeness in meaning once there are vectors", async () => {
    const index = create({ embedder: createFakeEmbedder(), settings: { vector_weight: 0.9 } });
    await index.add([
      { id: "1", text: "swimming" },
      { id: "2", text: "mathematics" },
    ]);
    await expect.poll(async () => (await index.stats()).embedded).toBe(2);
    expect((await idsOf(index, "swimmers"))[0]).toBe("1");
  });

  it("says what is wrong with a setting", () => {
    for (const settings of [{ preset: "best" }, { vector_weight: 2 }, { overlap: 1 }])
      expect(() => create({ settings: settings as never })).toThrow(
        expect.objectContaining({ code: "config.invalid" }),
      );
  });

  it("says what is wrong with a place or a text", async () => {
    const none = ["", "notes.db", "https://example.com/x", "file:", "file:a?mode=ro", "file:%zz"];
    for (const url of [...none, "file://elsewhere/notes.db", undefined as never]) {
      expect(() => createMemoryIndex({ url })).toThrow(AgentError);
    }
    const index = create();
    await expect(index.add([{ id: "", text: "x" }])).rejects.toMatchObject({
      code: "config.invalid",
    });
    await expect(index.search(undefined as never)).rejects.toMatchObject({
      code: "config.invalid",
    });
    await index.close();
    await expect(index.search("x")).rejects.toMatchObject({ code: "index.closed" });
    await expect(index.add([])).rejects.toMatchObject({ code: "index.closed" });
  });
});
