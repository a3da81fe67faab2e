import { Worker } from "node:worker_threads";
import type { PageText } from "./page-markdown.ts";
import { plainText } from "./plain-text.ts";

type Page = { readonly html: string; readonly url: string };

const mostHeapMb = 256;

/** A thread takes no TypeScript: run from the sources, it is the one of the last build. */
const folder = import.meta.url.endsWith(".ts") ? "../../../dist/adapters/web" : ".";
const workerUrl = new URL(`${folder}/page-worker.js`, import.meta.url);

/** A page as Markdown; as plain text where its parsing takes too long, too much memory, or fails. */
export async function readPage(page: Page, deadline: AbortSignal): Promise<PageText> {
  return (await inWorker(page, deadline)) ?? { title: null, text: plainText(page.html) };
}

async function inWorker(page: Page, deadline: AbortSignal): Promise<PageText | undefined> {
  if (deadline.aborted) return undefined;
  return new Promise((resolve) => {
    const worker = new Worker(workerUrl, {
      workerData: page,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
      stdout: true,
      stderr: true,
    });
    const end = (text?: PageText) => {
      deadline.removeEventListener("abort", giveUp);
      void worker.terminate();
      resolve(text);
    };
    const giveUp = () => end();
    deadline.addEventListener("abort", giveUp);
    worker.once("message", end);
    worker.once("error", giveUp);
    worker.once("exit", giveUp);
  });
}
