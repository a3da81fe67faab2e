import { packHits } from "../../../memory/search/pack-hits.ts";
import { estimateTokens } from "../../../memory/tokens.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import type { Memories, MemorySearch } from "../../../ports/memory.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { Recalled } from "../../../schema/activities.ts";
import { AgentError, toErrorData } from "../../../schema/errors.ts";
import type { Json } from "../../../schema/json.ts";
import { textOf } from "../../../schema/llm.ts";
import type { MemoryHit, MemorySource } from "../../../schema/memory.ts";
import { recallTable } from "../../../schema/rows/memory-rows.ts";
import { taskTable } from "../../../schema/rows/run-rows.ts";
import type { Message } from "../../../schema/rows/session-rows.ts";
import { shownHit } from "../../../tools/shown-memory.ts";
import { sessionOfRun } from "../../address.ts";
import type { AgentOfRun } from "../../agent-of-run.ts";
import type { Connector } from "../../approvers.ts";
import { keyIn, placeIn } from "../../session-key.ts";
import { readableMemory } from "./readable-memory.ts";
import { tasksInView } from "./tasks-in-view.ts";
import { trustOfHits } from "./trust-of-hits.ts";

/** What a run is reminded of before its model is asked the first time; a run goes on without, whatever happens to memory. */

export type RecallOptions = {
  readonly memories: Memories;
  /** What it may take of the prompt; 0: nothing is recalled. */
  readonly tokens: () => number;
  readonly connectors: () => readonly Connector[];
  readonly clock: Clock;
  readonly log: Log;
  readonly redact: <T extends Json>(value: T) => T;
};

const mostMemories = 12;
const mostTasks = 3;
const mostQueryCharacters = 2_000;
const mostMs = 600;
/** A model that is loaded first, or has much to do, is not waited for: then words alone remind. */
const mostMeaningMs = 400;

type Asked = {
  readonly agent: AgentOfRun;
  /** Of the conversation, those of the run among them. */
  readonly rows: readonly Message[];
  readonly signal: AbortSignal;
};

export type Reminded = {
  readonly hits: readonly MemoryHit[];
  /** Where they are not the run's already. */
  readonly recalled?: Recalled;
};

/** Once for a run: later rounds are shown what the first was shown. */
export async function reminded(
  options: RecallOptions | undefined,
  read: CommittedReader,
  asked: Asked,
): Promise<Reminded> {
  const { run } = asked.agent;
  if (options === undefined || run === undefined) return { hits: [] };
  const row = await read.get(recallTable, run.run_id);
  if (row !== undefined) return { hits: row.hits };
  const recalled = await recall(options, read, asked);
  return recalled === undefined ? { hits: [] } : { hits: recalled.hits, recalled };
}

/** Undefined where there is nothing to ask, or nobody who may be asked. */
async function recall(
  options: RecallOptions,
  read: CommittedReader,
  asked: Asked,
): Promise<Recalled | undefined> {
  const { agent, rows } = asked;
  const { run } = agent;
  const budget = options.tokens();
  const text = run === undefined ? "" : wordsOf(rows, run.run_id);
  if (run === undefined || budget === 0 || text === "") return undefined;
  const sources = readableMemory(agent, await read.get(taskTable, run.task_id));
  if (sources.length === 0) return undefined;
  const session_address = sessionOfRun(run.address);
  const inView = await tasksInView(read, rows);
  const found = await search(options, asked, { session_address, text, sources, inView });
  const packed = packHits(found, budget, (hit) => estimateTokens(shownHit(hit)));
  const hits = options.redact(packed);
  return { hits, brings: trustOfHits(hits, { session_address, connectors: options.connectors() }) };
}

/** What the person said that the run is for. */
function wordsOf(rows: readonly Message[], run_id: string): string {
  return rows
    .filter((row) => row.run_id === run_id && row.role === "user")
    .map(({ content }) => textOf(content))
    .join("\n")
    .trim()
    .slice(0, mostQueryCharacters);
}

type Search = Pick<MemorySearch, "text"> & {
  readonly session_address: string;
  readonly sources: readonly MemorySource[];
  /** Past tasks that the model reads in the conversation itself. */
  readonly inView: readonly string[];
};

/** Memories before past tasks: these are shown where there is room left. */
async function search(
  { memories, clock, log }: RecallOptions,
  { agent, signal }: Asked,
  { session_address, text, sources, inView }: Search,
): Promise<readonly MemoryHit[]> {
  const memory = memories.of(placeIn(keyIn(session_address)));
  const limit = limited(clock, signal);
  try {
    const asked = { text, sources, meaning_ms: mostMeaningMs, signal: limit.signal };
    const found = await Promise.race([
      Promise.all([
        memory.search({ ...asked, kinds: ["memory"], limit: mostMemories }),
        memory.search({ ...asked, kinds: ["task"], limit: mostTasks, except: inView }),
      ]),
      limit.isOver,
    ]);
    return found.flat();
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const { code, message } = toErrorData(thrown);
    const run_id = agent.run?.run_id ?? "";
    log("warn", "a run goes on without what memory could recall", { run_id, code, message });
    return [];
  } finally {
    limit.end();
  }
}

/** Memory that does not answer is not waited for. */
function limited(clock: Clock, outer: AbortSignal) {
  const own = new AbortController();
  const stop = () => own.abort();
  outer.addEventListener("abort", stop, { once: true });
  const cancel = clock.after(mostMs, stop);
  const isOver = new Promise<never>((_, reject) => {
    own.signal.addEventListener(
      "abort",
      () =>
        reject(new AgentError("activity.aborted", `Memory did not answer within ${mostMs} ms.`)),
      { once: true },
    );
  });
  isOver.catch(() => {}); // whoever raced it has heard; nobody else listens
  if (outer.aborted) stop();
  return {
    signal: own.signal,
    isOver,
    end() {
      cancel();
      outer.removeEventListener("abort", stop);
    },
  };
}
