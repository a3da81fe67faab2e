import { parentPort, workerData } from "node:worker_threads";
import { pageMarkdown } from "./page-markdown.ts";

/** The thread in which one page is read; it may be killed at any moment. */

type Page = { readonly html: string; readonly url: string };

const { html, url } = workerData as Page;
parentPort?.postMessage(pageMarkdown(html, url));
