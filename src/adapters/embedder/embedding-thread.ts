import { Worker } from "node:worker_threads";
import type { EmbeddingAnswer, EmbeddingOrder } from "./embedding-order.ts";
import { aborted, badResponse, unavailable } from "./embedder-errors.ts";

/** One thread for the built-in model: begun when it is first needed, ended when it was idle for long, hangs, or dies; the next
 *  order begins another. It keeps no process alive but while it works. */

export type ThreadLimits = {
  /** For one order; the first one also loads the model. */
  readonly orderMs: number;
  /** After which the thread, and its some 150 MB, are given back. */
  readonly idleMs: number;
  /** Of JavaScript's; the model's own is bounded by the length of what it reads. */
  readonly heapMb: number;
  readonly workerUrl: URL;
};

export type ThreadOrder = EmbeddingOrder & {
  /** Goes before those that are not. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
};

type Vectors = EmbeddingAnswer["vectors"];

type Waiting = {
  readonly order: ThreadOrder;
  readonly resolve: (vectors: Vectors) => void;
  readonly reject: (error: Error) => void;
};

/** A thread takes no TypeScript: run from the sources, it is the one of the last build. */
const folder = import.meta.url.endsWith(".ts") ? "../../../dist/adapters/embedder" : ".";

const usualLimits: ThreadLimits = {
  orderMs: 60_000,
  idleMs: 300_000,
  heapMb: 256,
  workerUrl: new URL(`${folder}/embedding-worker.js`, import.meta.url),
};

export class EmbeddingThread {
  readonly #limits: ThreadLimits;
  #waiting: Waiting[] = [];
  #underWay: Waiting | undefined;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: Partial<ThreadLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** @throws AgentError activity.aborted, embedder.unavailable, embedder.bad_response */
  async run(order: ThreadOrder): Promise<Vectors> {
    if (order.signal.aborted) throw aborted();
    if (this.#isClosed) throw closed();
    return new Promise((resolve, reject) => {
      const stop = () => reject(aborted());
      order.signal.addEventListener("abort", stop, { once: true });
      const settled = () => order.signal.removeEventListener("abort", stop);
      this.#waiting.push({
        order,
        resolve: (vectors) => {
          settled();
          resolve(vectors);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await this.#end(closed());
  }

  #next(): void {
    if (this.#underWay !== undefined || this.#isClosed) return;
    this.#waiting = this.#waiting.filter(({ order }) => !order.signal.aborted);
    const urgent = this.#waiting.findIndex(({ order }) => order.isUrgent);
    const [next] = this.#waiting.splice(Math.max(0, urgent), 1);
    if (next === undefined) this.#rest();
    else this.#begin(next);
  }

  #begin(next: Waiting): void {
    this.#underWay = next;
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    this.#setTimer(this.#limits.orderMs, "took too long");
    this.#worker.postMessage({ texts: next.order.texts } satisfies EmbeddingOrder);
  }

  #rest(): void {
    this.#worker?.unref();
    this.#setTimer(this.#limits.idleMs, "was idle");
    this.#timer?.unref();
  }

  #setTimer(ms: number, why: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end(broken(why)), ms);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#limits.workerUrl, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
      stdout: true,
      stderr: true,
    });
    const isOurs = () => this.#worker === worker;
    worker.on("message", (answer: EmbeddingAnswer) => {
      if (isOurs()) this.#finish(answer);
    });
    worker.on("error", (error: Error) => {
      if (isOurs()) void this.#end(broken(error.message));
    });
    worker.on("exit", () => {
      if (isOurs()) void this.#end(broken("ended"));
    });
    return worker;
  }

  #finish({ vectors }: EmbeddingAnswer): void {
    const done = this.#underWay;
    this.#underWay = undefined;
    if (vectors.length === done?.order.texts.length) done.resolve(vectors);
    else
      done?.reject(badResponse("The built-in embedder answered with another number of vectors."));
    this.#next();
  }

  /** With what it was at; what waits goes to the next thread. */
  async #end(why: Error): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    const lost = this.#underWay;
    this.#worker = undefined;
    this.#underWay = undefined;
    lost?.reject(why);
    if (this.#waiting.length > 0) this.#next();
    await worker?.terminate();
  }
}

const closed = () => unavailable("The built-in embedder is closed.", { retryable: false });

/** One line of it: what follows is a stack of files. */
const broken = (why: string) =>
  unavailable(`The thread of the built-in embedder: ${why.split("\n", 1)[0]?.slice(0, 500)}`);
