import type { Clock } from "../../ports/clock.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { Log } from "../../ports/log.ts";
import type { MemoryQuery } from "../../ports/memory-index.ts";
import { AgentError } from "../../schema/errors.ts";
import { checkedVectors } from "./checked-vectors.ts";
import { searchGivenUp } from "./index-errors.ts";
import type { IndexFile } from "./index-file.ts";
import { Pause } from "./pause.ts";
import type { QueryMeaning } from "./search-index.ts";
import {
  chunksWithoutVector,
  dropOtherModels,
  storeVectors,
  type WaitingChunk,
} from "./vector-rows.ts";
import { type WaitingRange, WaitingRanges } from "./waiting-ranges.ts";

const mostAtOnce = 32;
const longestQuestionMs = 3_000;
const longestQuestion = 2_000;
const skippedForMs = 60 * 60_000;

export type VectorMakerParts = {
  readonly file: IndexFile;
  readonly embedder: Embedder;
  readonly weight: number | "auto";
  readonly clock: Clock;
  readonly log: Log;
};

type Question = Pick<MemoryQuery, "text" | "signal" | "meaning_ms">;
type Waiting = { readonly chunks: readonly WaitingChunk[]; readonly range: WaitingRange };

/** Makes the vectors of chunks in the background, some at a time, until each has one of the present embedder. An embedder that fails
 *  is left alone for a while; one that refuses is asked for less at once, so that one text holds up no other. */
export class VectorMaker {
  /** Of vectors that can be compared. */
  readonly model: string;
  /** Of the last attempt, while it failed. */
  trouble: string | null = null;
  private readonly parts: VectorMakerParts;
  private readonly pause: Pause;
  private readonly ending = new AbortController();
  /** Chunks in none of these have their vector, or are skipped for now. */
  private readonly ranges = new WaitingRanges();
  private skipped = 0;
  private atOnce = mostAtOnce;
  private isWanted = false;
  private work: Promise<void> | null = null;
  private cancelTimer = () => {};
  private cancelRetry = () => {};

  constructor(parts: VectorMakerParts) {
    this.parts = parts;
    this.pause = new Pause(parts.clock);
    this.model = `${parts.embedder.id} (${parts.embedder.dimensions})`;
  }

  /** There may be chunks without a vector, up to this id. */
  wake(newest = 0): void {
    this.ranges.reach(newest);
    this.isWanted = true;
    if (this.work !== null || this.ending.signal.aborted || this.pause.remainingMs > 0) return;
    this.cancelTimer();
    this.isWanted = false;
    this.work = this.untilAllIsDone().finally(() => {
      this.work = null;
      /** Chunks may have come while it found that none was left. */
      if (this.isWanted) this.wake();
    });
  }

  /** The vector of a question; null: words alone must do, as nobody answers now, or not soon enough for the one who asks.
   *  @throws AgentError `activity.aborted` when `signal` fires */
  async meaningOf({ text, signal, meaning_ms }: Question): Promise<QueryMeaning | null> {
    if (this.pause.remainingMs > 0) return null;
    const giveUp = new AbortController();
    const mostMs = Math.min(meaning_ms ?? longestQuestionMs, longestQuestionMs);
    const cancel = this.parts.clock.after(mostMs, () => giveUp.abort());
    const signals = [giveUp.signal, this.ending.signal, ...(signal === undefined ? [] : [signal])];
    try {
      const asked = [text.slice(0, longestQuestion)];
      const [vector] = await this.vectorsOf(asked, "query", AbortSignal.any(signals));
      this.succeeded();
      return vector === undefined ? null : { vector, model: this.model, weight: this.weight };
    } catch (error) {
      if (signal?.aborted === true) throw searchGivenUp();
      if (giveUp.signal.aborted && mostMs < longestQuestionMs) return null;
      if (!this.ending.signal.aborted) this.failed(error);
      return null;
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    this.ending.abort();
    this.cancelTimer();
    this.cancelRetry();
    await this.work;
  }

  private get weight(): number {
    const { weight, embedder } = this.parts;
    return weight === "auto" ? embedder.weight : weight;
  }

  private async untilAllIsDone(): Promise<void> {
    let waiting: Waiting | undefined;
    try {
      waiting = await this.next();
      while (waiting !== undefined && !this.ending.signal.aborted) {
        await this.makeVectors(waiting);
        waiting = await this.next();
      }
      await this.tidy();
    } catch (error) {
      if (this.ending.signal.aborted) return;
      this.makeLess(error, waiting);
      this.failed(error);
    }
  }

  private async next(): Promise<Waiting | undefined> {
    const { model, atOnce: limit, ranges } = this;
    for (let range = ranges.next; range !== undefined; range = ranges.next) {
      const wanted = { ...range, model, limit };
      const chunks = await this.parts.file.read((rows) => chunksWithoutVector(wanted, rows));
      if (chunks.length > 0) return { chunks, range };
      ranges.passed(range, range.after);
    }
    return undefined;
  }

  private async makeVectors({ chunks: waiting, range }: Waiting): Promise<void> {
    const texts = waiting.map(({ text }) => text);
    const vectors = await this.vectorsOf(texts, "document", this.ending.signal);
    const made = waiting.flatMap(({ id }, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ id, vector }];
    });
    await this.parts.file.write((rows) => storeVectors(this.model, made, rows));
    this.ranges.passed(range, waiting.at(-1)?.id ?? range.after);
    this.atOnce = Math.min(mostAtOnce, this.atOnce * 2);
    this.succeeded();
  }

  private succeeded(): void {
    this.pause.succeeded();
    if (this.skipped === 0) this.trouble = null;
  }

  private async vectorsOf(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const { embedder } = this.parts;
    const inputs = texts.map((text) => ({ type: "text", text }) as const);
    const vectors = await orAborted(embedder.embed(inputs, { for: purpose, signal }), signal);
    return checkedVectors(vectors, { count: texts.length, dimensions: embedder.dimensions });
  }

  /** What was refused is found by asking for half as much each time; alone, it is skipped until all others are done. */
  private makeLess(error: unknown, waiting: Waiting | undefined): void {
    if (waiting === undefined || (error instanceof AgentError && error.retryable)) return;
    const [only, second] = waiting.chunks;
    if (second !== undefined) this.atOnce = Math.max(1, Math.floor(waiting.chunks.length / 2));
    else if (only !== undefined) {
      this.ranges.passed(waiting.range, only.id);
      this.skipped += 1;
    }
  }

  private failed(error: unknown): void {
    const said = error instanceof Error ? error.message : String(error);
    if (said !== this.trouble) {
      this.parts.log("warn", "vectors of memory are missing for now", { trouble: said });
    }
    this.trouble = said;
    this.pause.failed();
    this.wakeAfter(this.pause.remainingMs);
  }

  private trySkippedLater(): void {
    this.cancelRetry();
    this.cancelRetry = this.parts.clock.after(skippedForMs, () => {
      this.ranges.restart();
      this.skipped = 0;
      this.wake();
    });
  }

  private wakeAfter(ms: number): void {
    this.cancelTimer();
    this.cancelTimer = this.parts.clock.after(ms, () => this.wake());
  }

  private async tidy(): Promise<void> {
    if (this.ending.signal.aborted) return;
    if (this.skipped > 0) return this.trySkippedLater();
    const { file } = this.parts;
    const dropped = await file.write((rows) => dropOtherModels(this.model, rows));
    if (dropped) await file.settle();
  }
}

/** Also where the embedder does not care for the signal. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(noAnswerInTime());
    signal.addEventListener("abort", giveUp, { once: true, signal: settled.signal });
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
    work.catch(() => {});
  }
}

function noAnswerInTime(): AgentError {
  const message = "the embedder did not answer in time";
  return new AgentError("embedder.unavailable", message, { retryable: true });
}
