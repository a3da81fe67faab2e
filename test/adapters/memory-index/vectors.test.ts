import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createSimulatedClock,
  type SimulatedClock,
} from "../../../src/adapters/clock/simulated-clock.ts";
import {
  createFakeEmbedder,
  spellingVector,
} from "../../../src/adapters/embedder/fake-embedder.ts";
import { openMemoryIndex } from "../../../src/adapters/memory-index/open-memory-index.ts";
import { memorySettings } from "../../../src/memory/settings.ts";
import type { Embedder } from "../../../src/ports/embedder.ts";
import type { MemoryIndex } from "../../../src/ports/memory-index.ts";
import { AgentError } from "../../../src/schema/errors.ts";
import { documentOf, question } from "../../contracts/memory-index.contract.ts";

const newFile = () => join(mkdtempSync(join(tmpdir(), "vectors-")), "memory.db");

function open(
  embedder: Embedder,
  file = newFile(),
  clock: SimulatedClock = createSimulatedClock(),
) {
  const settings = memorySettings({ vector_weight: 1, relative_cut: 0 });
  return openMemoryIndex({ file, settings, clock, embedder, log: () => {} });
}

async function expectEmbedded(index: MemoryIndex, count: number): Promise<void> {
  await expect.poll(async () => (await index.stats()).embedded).toBe(count);
}

async function expectTrouble(index: MemoryIndex, trouble: string): Promise<void> {
  await expect.poll(async () => (await index.stats()).trouble ?? "").toContain(trouble);
}

const answering = (vectors: (count: number) => Float32Array[]): Embedder => ({
  ...createFakeEmbedder(),
  embed: async (inputs) => vectors(inputs.length),
});

describe("the vectors of memory's index", () => {
  it("return the true best of each partition, whatever its size", async () => {
    const index = await open(createFakeEmbedder());
    const sizes = { "main/a": 3, "main/b": 40, "main/c": 700 };
    const texts = (partition: string, count: number) =>
      Array.from(
        { length: count },
        (_, at) => `${partition} says word${(at * 37) % 101} item${at}`,
      );
    for (const [partition, count] of Object.entries(sizes)) {
      await index.put(documentOf(`${partition}/x.md`, texts(partition, count)));
    }
    await expectEmbedded(index, 743);
    const asked = spellingVector("word55 item12");
    const cosine = (text: string) =>
      spellingVector(text).reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0);
    for (const [partition, count] of Object.entries(sizes)) {
      const hits = await index.search(question("word55 item12", { partitions: [partition] }));
      const best = texts(partition, count)
        .map(cosine)
        .toSorted((one, other) => other - one)
        .slice(0, 10)
        .filter((score) => score > 0);
      expect(hits.length).toBe(best.length);
      for (const [at, hit] of hits.entries()) {
        expect(hit.partition).toBe(partition);
        expect(Math.abs(hit.score - (best[at] ?? 0))).toBeLessThan(0.02);
      }
    }
    await index.close();
  });

  it("are made for what came last first, so that a note waits for no large file", async () => {
    const asked: string[][] = [];
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const spelling = createFakeEmbedder();
    const index = await open({
      ...spelling,
      embed: async (inputs, options) => {
        asked.push(inputs.map((input) => (input.type === "text" ? input.text : "")));
        await mayAnswer;
        return spelling.embed(inputs, options);
      },
    });
    const lines = Array.from({ length: 90 }, (_, at) => `line${at} of a large file`);
    await index.put(documentOf("main/a/large.md", lines));
    await expect.poll(() => asked.length).toBe(1);
    await index.put(documentOf("main/a/note.md", ["a note of now"]));
    answer();
    await expectEmbedded(index, 91);
    expect(asked[1]?.map((text) => text.includes("a note of now"))).toEqual([true]);
    expect(asked.flat().length).toBe(91);
    await index.close();
  });

  it("are made anew by another embedder, and those of the old one go", async () => {
    const file = newFile();
    const first = await open(createFakeEmbedder({ id: "old", dimensions: 32 }), file);
    await first.put(documentOf("main/local/a.md", ["swimming", "mathematics"]));
    await expectEmbedded(first, 2);
    await first.close();
    const second = await open(createFakeEmbedder({ id: "new", dimensions: 64 }), file);
    await expectEmbedded(second, 2);
    expect((await second.search(question("swimmers")))[0]?.text).toBe("swimming");
    await second.close();
    const third = await open(createFakeEmbedder({ id: "new", dimensions: 64 }), file);
    expect((await third.stats()).embedded).toBe(2);
    await third.close();
  });

  it.each([
    ["of another length", () => new Float32Array(63).fill(0.1)],
    ["with a number that is none", () => new Float32Array(64).fill(Number.NaN)],
    ["without a direction", () => new Float32Array(64)],
  ])("%s are refused, and words decide", async (_, vector) => {
    const index = await open(answering((count) => Array.from({ length: count }, vector)));
    await index.put(documentOf("main/local/a.md", ["an apple", "a pear"]));
    await expectTrouble(index, "the embedder gave a vector");
    expect((await index.stats()).embedded).toBe(0);
    expect((await index.search(question("pear")))[0]?.text).toBe("a pear");
    await index.close();
  });

  it("are asked for again, after a while that grows, from one that did not answer", async () => {
    const clock = createSimulatedClock();
    let calls = 0;
    const failing = createFakeEmbedder({
      onEmbed: () => {
        calls += 1;
        if (calls <= 2)
          throw new AgentError("embedder.unavailable", "not now", { retryable: true });
      },
    });
    const index = await open(failing, newFile(), clock);
    await index.put(documentOf("main/local/a.md", ["an apple"]));
    await expectTrouble(index, "not now");
    expect((await index.search(question("apple")))[0]?.text).toBe("an apple");
    expect(calls).toBe(1);
    clock.advance(1_000);
    await expect.poll(() => calls).toBe(2);
    await expect.poll(() => clock.nextDue()).toBe(clock.now() + 2_000);
    clock.advance(2_000);
    await expectEmbedded(index, 1);
    expect((await index.stats()).trouble).toBe(null);
    await index.close();
  });

  it("are made of all other texts where one is refused", async () => {
    const clock = createSimulatedClock();
    const picky = createFakeEmbedder({
      onEmbed: (inputs) => {
        if (inputs.some((input) => input.type === "text" && input.text === "poison")) {
          throw new AgentError("embedder.refused", "not this one");
        }
      },
    });
    const index = await open(picky, newFile(), clock);
    await index.put(documentOf("main/local/a.md", ["apple", "pear", "poison", "plum", "fig"]));
    await expect
      .poll(async () => {
        clock.advance(60_000);
        return (await index.stats()).embedded;
      })
      .toBe(4);
    expect((await index.stats()).trouble).toBe("not this one");
    expect((await index.search(question("apple"))).at(0)?.text).toBe("apple");
    await index.close();
  });

  it("are not waited for longer than the one who asks can wait, and the next question is put all the same", async () => {
    const clock = createSimulatedClock();
    let questions = 0;
    const slow: Embedder = {
      ...createFakeEmbedder(),
      embed: (_, options) => {
        if (options.for === "query") questions += 1;
        return new Promise(() => {});
      },
    };
    const index = await open(slow, newFile(), clock);
    await index.put(documentOf("main/local/a.md", ["an apple"]));
    for (const asked of [1, 2]) {
      const search = index.search(question("apple", { meaning_ms: 400 }));
      clock.advance(400);
      expect(await search).toHaveLength(1);
      expect(questions).toBe(asked);
    }
    expect((await index.stats()).trouble).toBeNull();
    await index.close();
  });

  it("do not hold up a search whose embedder hangs, nor the end", async () => {
    const clock = createSimulatedClock();
    const hanging: Embedder = { ...createFakeEmbedder(), embed: () => new Promise(() => {}) };
    const index = await open(hanging, newFile(), clock);
    await index.put(documentOf("main/local/a.md", ["an apple"]));
    const search = index.search(question("apple"));
    clock.advance(3_000);
    expect(await search).toHaveLength(1);
    const given = new AbortController();
    clock.advance(10_000);
    const second = index.search(question("apple", { signal: given.signal }));
    given.abort();
    await expect(second).rejects.toMatchObject({ code: "activity.aborted" });
    await index.close();
  });
});
