import { sessionOfRun } from "../../../actors/address.ts";
import { mostTasks, newestRuns } from "../../../actors/memory/newest-runs.ts";
import { keyIn, placeIn } from "../../../actors/session-key.ts";
import { OneAtATime } from "../../../adapters/turns/one-at-a-time.ts";
import { partitionOfTasks } from "../../../memory/partitions.ts";
import { taskDocument, taskPath } from "../../../memory/documents/task-document.ts";
import { unknownFrom, untrustedOf, userOrigin } from "../../../policy/origins.ts";
import type { Log } from "../../../ports/log.ts";
import type { MemoryIndex } from "../../../ports/memory-index.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import { toErrorData } from "../../../schema/errors.ts";
import type { MemoryChangeContext } from "../../../schema/contexts/memory-change-context.ts";
import type { MemoryDocument } from "../../../schema/memory.ts";
import { type Run, runTable, taskTable } from "../../../schema/rows/run-rows.ts";
import type { News, NewsBus } from "../../news/news.ts";
import { waitingRuns } from "./waiting-runs.ts";

/** Keeps the index in step with the tasks that have ended: the rows are what is true, and the newest of them are found. */

export type KeepTasksOptions = {
  readonly read: CommittedReader;
  readonly index: MemoryIndex;
  readonly log: Log;
  readonly limits?: TaskLimits;
};

export type TaskLimits = {
  /** The newest runs, whose tasks are found. */
  readonly most: number;
  /** So many more may be found until the older ones go: those are looked for in all rows of the newest. */
  readonly beyond: number;
};

const usualLimits: TaskLimits = { most: mostTasks, beyond: 100 };

export type TaskKeeper = {
  /** From now on each run that ends is taken up. @returns ends it */
  follow(bus: NewsBus): () => void;
  /** Takes up what the index does not have, and drops what is older than what it is to have. Never rejects. */
  scan(): Promise<void>;
  /** Resolves once all that was begun is done; nothing more is. */
  close(): Promise<void>;
};

export function keepTasks(options: KeepTasksOptions): TaskKeeper {
  const { log, limits = usualLimits } = options;
  const turns = new OneAtATime();
  let isClosed = false;
  let taken = 0;
  const attempt = attempting(log);
  const { take, takeAll } = takingInto(options, { most: limits.most, isOver: () => isClosed });
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    turns.run(async () => {
      if (!isClosed) await attempt(work);
    });
  const takeNext = async (run_id: string) => {
    if (isClosed) return;
    await attempt(() => take(run_id));
    taken += 1;
    if (taken % limits.beyond === 0) await attempt(takeAll);
  };
  const scan = () => inTurn(takeAll);
  const takeUp = waitingRuns({
    most: mostTasks,
    tooMany: () => void scan(),
    inTurn,
    take: takeNext,
  });
  return {
    scan,
    follow: (bus) =>
      bus.subscribe({
        name: "past-tasks",
        capacity: mostTasks,
        wants: (news) =>
          news.type === "ReplyReady" || news.type === "TaskFailed" || isForgetting(news),
        hear: (news) => {
          if (isForgetting(news)) void scan();
          if (news.type !== "ReplyReady" && news.type !== "TaskFailed") return;
          if (news.run_id !== null) takeUp(news.run_id);
        },
        lagged: () => void scan(),
      }),
    async close() {
      isClosed = true;
      await turns.idle();
    },
  };
}

type Taking = { readonly most: number; readonly isOver: () => boolean };

function takingInto({ read, index }: KeepTasksOptions, { most, isOver }: Taking) {
  const put = async (run: Run) => {
    const document = await documentOf(read, run);
    if (document !== undefined) await index.put(document);
  };
  return {
    async take(run_id: string) {
      const run = await read.get(runTable, run_id);
      if (run !== undefined) await put(run);
    },
    async takeAll() {
      const known = await knownTasks(index);
      for await (const run of newestRuns(read, most)) {
        if (isOver()) return;
        if (run.forgotten_at !== null) continue;
        if (!known.delete(taskPath(run.task_id))) await put(run);
      }
      if (known.size > 0) await index.remove([...known]);
    },
  };
}

/** Past tasks are no reason for anything to fail. */
function attempting(log: Log) {
  return async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      const { code, message } = toErrorData(thrown);
      log("warn", "past tasks could not be taken into the index", { code, message });
    }
  };
}

/** Something was forgotten, and the rows say which tasks hold it. */
function isForgetting(news: News): boolean {
  if (news.type !== "actor.stepped" || news.step.machine !== "memory_change") return false;
  const { step, actor } = news;
  return (
    step.event_type === "xstate.done.actor.changeMemory" &&
    (actor?.snapshot.context as MemoryChangeContext | undefined)?.kind === "forget"
  );
}

async function knownTasks(index: MemoryIndex): Promise<Set<string>> {
  const documents = await index.documents();
  return new Set(documents.filter(({ kind }) => kind === "task").map(({ path }) => path));
}

/** Where nobody noted what a run knew, its text may be anybody's. */
async function documentOf(read: CommittedReader, run: Run): Promise<MemoryDocument | undefined> {
  const task = await read.get(taskTable, run.task_id);
  if (task === undefined) return undefined;
  const session = sessionOfRun(run.address);
  const { untrusted } = run.trust ?? unknownFrom("run", run.run_id);
  return taskDocument({
    task,
    run,
    partition: partitionOfTasks(placeIn(keyIn(session))),
    origins: untrustedOf([userOrigin(session)], untrusted),
  });
}
