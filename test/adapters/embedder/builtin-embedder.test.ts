import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createBuiltinEmbedder,
  isBuiltinInstalled,
} from "../../../src/adapters/embedder/builtin-embedder.ts";
import type { ThreadLimits } from "../../../src/adapters/embedder/embedding-thread.ts";
import type { Embedder } from "../../../src/ports/embedder.ts";
import { likeness } from "../../contracts/embedder.contract.ts";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
const run = promisify(execFile);
const never = new AbortController().signal;
const text = (...texts: readonly string[]) =>
  texts.map((each) => ({ type: "text" as const, text: each }));

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "statehive-embedder-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A thread of ours in place of the model's: `each(order)` is what it does with the order of that number. */
function embedderOver(each: string, limits: Partial<ThreadLimits> = {}): Embedder {
  const file = join(directory, `${randomUUID()}.mjs`);
  const answer = "({ texts }) => post({ vectors: texts.map(() => Array(512).fill(1)) })";
  writeFileSync(
    file,
    `import { parentPort } from "node:worker_threads";
     const post = (answer) => parentPort.postMessage(answer);
     const answer = ${answer};
     ${each}`,
  );
  return createBuiltinEmbedder({ workerUrl: pathToFileURL(file), ...limits });
}

/** Prints how long the vector of a word is. */
function programThatEmbeds(): string {
  const main = join(directory, "main.mjs");
  writeFileSync(
    main,
    `import { createBuiltinEmbedder } from ${JSON.stringify(join(dist, "adapters/embedder/builtin-embedder.js"))};
     const options = { for: "document", signal: new AbortController().signal };
     const made = await createBuiltinEmbedder().embed([{ type: "text", text: "sea" }], options);
     console.log(made[0].length);`,
  );
  return main;
}

const ask = (embedder: Embedder, ...texts: readonly string[]) =>
  embedder.embed(text(...texts), { for: "document", signal: never });

describe("the built-in embedder", () => {
  it("is installed here", () => {
    expect(isBuiltinInstalled()).toBe(true);
  });

  it("knows that the same is said in other words", async () => {
    const embedder = createBuiltinEmbedder();
    const [asked, same, other] = await ask(
      embedder,
      "What does she do for a living?",
      "Her job is teaching at a school.",
      "The train to Lisbon leaves at nine.",
    );
    expect(likeness(asked, same)).toBeGreaterThan(likeness(asked, other) + 0.1);
    await embedder.close();
  });

  it("reaches for no network, sees no environment, leaves nothing on the screen, and lets its process end", async () => {
    const guard = join(directory, "no-network.cjs");
    writeFileSync(
      guard,
      `const refuse = (what) => () => { process._rawDebug("NETWORK " + what); process.exit(9); };
       require("node:net").Socket.prototype.connect = refuse("connect");
       require("node:dns").lookup = refuse("lookup");
       globalThis.fetch = refuse("fetch");
       const { isMainThread } = require("node:worker_threads");
       if (!isMainThread && process.env.HOME !== undefined) refuse("HOME")();`,
    );
    const main = programThatEmbeds();
    const { stdout, stderr } = await run(process.execPath, ["--require", guard, main], {
      env: { HOME: directory },
      timeout: 50_000,
    });
    expect({ stdout, stderr }).toEqual({ stdout: "512\n", stderr: "" });
  });

  it("is whole where what it calculates with takes its time to begin", async () => {
    const slow = join(directory, "slow.cjs");
    writeFileSync(
      slow,
      `const { instantiate } = WebAssembly;
       WebAssembly.instantiate = async (...given) => {
         await new Promise((resolve) => setTimeout(resolve, 1_000));
         return instantiate(...given);
       };`,
    );
    const { stdout, stderr } = await run(process.execPath, [
      "--require",
      slow,
      programThatEmbeds(),
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: "512\n", stderr: "" });
  });

  it("says that it is not there where its packages were left out, and what is missing", async () => {
    const elsewhere = join(directory, "elsewhere");
    for (const part of ["adapters/embedder", "schema"])
      cpSync(join(dist, part), join(elsewhere, part), { recursive: true });
    writeFileSync(join(elsewhere, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(elsewhere, "main.js"),
      `import { createBuiltinEmbedder, isBuiltinInstalled } from "./adapters/embedder/builtin-embedder.js";
       const options = { for: "query", signal: new AbortController().signal };
       await createBuiltinEmbedder().embed([{ type: "text", text: "sea" }], options).catch((error) =>
         console.log(isBuiltinInstalled(), error.code, error.message));`,
    );
    const { stdout } = await run(process.execPath, [join(elsewhere, "main.js")]);
    expect(stdout).toContain("false embedder.unavailable The thread of the built-in embedder: ");
    expect(stdout).toContain("Cannot find module '@energetic-ai/embeddings'");
    expect(stdout).not.toContain(elsewhere);
  });

  it("answers a question before the documents that came first", async () => {
    const embedder = embedderOver(`parentPort.on("message", answer);`);
    const order: string[] = [];
    const many = Array.from({ length: 40 }, (_, at) => `document ${at}`);
    const documents = ask(embedder, ...many).then(() => order.push("documents"));
    const question = embedder
      .embed(text("question"), { for: "query", signal: never })
      .then(() => order.push("question"));
    await Promise.all([documents, question]);
    expect(order).toEqual(["question", "documents"]);
    await embedder.close();
  });

  it.each([
    ["throws", `parentPort.on("message", () => { throw new Error("boom"); });`, "boom"],
    ["ends", `parentPort.on("message", () => process.exit(1));`, "ended"],
    ["never answers", `parentPort.on("message", () => {});`, "took too long"],
    ["is not there", `import "./nothing.mjs";`, "nothing.mjs"],
    [
      "fills its memory",
      `const all = []; parentPort.on("message", () => { for (;;) all.push(Array(1e6).fill({})); });`,
      "memory",
    ],
  ])("may be asked again when its thread %s", async (_, each, words) => {
    const embedder = embedderOver(each, {
      orderMs: words === "took too long" ? 50 : 20_000,
      heapMb: 16,
    });
    const failures = await Promise.all(
      [ask(embedder, "one"), ask(embedder, "two")].map((asked) =>
        asked.catch((error: unknown) => error),
      ),
    );
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: "embedder.unavailable", retryable: true });
      expect((failure as Error).message).toContain(words);
    }
    await embedder.close();
  });

  it("begins another thread after one that died", async () => {
    const marker = JSON.stringify(join(directory, "died"));
    const embedder = embedderOver(
      `import { existsSync, writeFileSync } from "node:fs";
       parentPort.on("message", (order) => {
         if (existsSync(${marker})) return answer(order);
         writeFileSync(${marker}, "");
         process.exit(1);
       });`,
    );
    await expect(ask(embedder, "one")).rejects.toMatchObject({ code: "embedder.unavailable" });
    expect(await ask(embedder, "one")).toHaveLength(1);
    await embedder.close();
  });

  it("does not believe a thread that answers with something else", async () => {
    const other = embedderOver(`parentPort.on("message", () => post({ vectors: [] }));`);
    await expect(ask(other, "one")).rejects.toMatchObject({ code: "embedder.bad_response" });
    const short = embedderOver(`parentPort.on("message", () => post({ vectors: [[1, 2]] }));`);
    await expect(ask(short, "one")).rejects.toMatchObject({ code: "embedder.bad_response" });
    await Promise.all([other.close(), short.close()]);
  });

  it("gives its thread back when it was idle, and begins another", async () => {
    const counter = join(directory, "begun");
    const embedder = embedderOver(
      `import { appendFileSync } from "node:fs";
       appendFileSync(${JSON.stringify(counter)}, "x");
       parentPort.on("message", answer);`,
      { idleMs: 0 },
    );
    const begun = async () => {
      expect(await ask(embedder, "one")).toHaveLength(1);
      return readFileSync(counter, "utf8");
    };
    await expect.poll(begun).toMatch(/^xx/);
    await embedder.close();
  });
});
