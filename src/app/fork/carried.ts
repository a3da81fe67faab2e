import { ownOrigin } from "../../policy/origins.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { type RecallRow, recallTable } from "../../schema/rows/memory-rows.ts";
import { type HistoryCut, historyCutTable, pastCutTable } from "../../schema/rows/model-rows.ts";
import { type Run, runTable } from "../../schema/rows/run-rows.ts";
import { type Message, messageTable } from "../../schema/rows/session-rows.ts";
import { positionOf } from "../../schema/position.ts";

/** The conversation that a fork begins with: the messages as they were committed up to a step of its run. */

export type Carried = {
  /** Oldest first, with the positions that they have in their own session. */
  readonly messages: readonly Message[];
  /** Results for the run's calls that had none by then. */
  readonly endings: readonly Message[];
  /** Older messages were left behind. */
  readonly isShortened: boolean;
  /** Where the conversation began for its model, if it had been shortened by then. */
  readonly cut: HistoryCut | undefined;
  /** What the run was reminded of, if its model had answered by then. */
  readonly recalled: RecallRow | undefined;
  /** When something that is said in it was forgotten; null: nothing was. */
  readonly forgotten_at: number | null;
};

/** Of the positions of one transition some are kept free for the results of cut calls. */
const mostCarried = 900;

const cutOff =
  "activity.outcome_unknown: This conversation was forked here, before the call had a result. Whether it took effect is not known.";

export async function carriedUntil(read: CommittedReader, run: Run, at: number): Promise<Carried> {
  const end = positionOf(at + 1);
  const said = await read.select(messageTable, {
    index: "by_session",
    equals: [run.session_id],
    before: end,
    descending: true,
    limit: mostCarried + 1,
  });
  const isShortened = said.length > mostCarried;
  const newest = said.slice(0, mostCarried).toReversed();
  const messages = beginningWithUser(newest, await read.get(messageTable, positionOf(run.seq)));
  const recalled = await read.get(recallTable, run.run_id);
  return {
    messages,
    endings: endingsOf(messages, run),
    isShortened,
    cut: await cutBefore(read, run.session_id, end),
    recalled: messages.some((message) => isAnswerOf(run, message)) ? recalled : undefined,
    forgotten_at: await forgottenIn(read, messages),
  };
}

async function forgottenIn(
  read: CommittedReader,
  messages: readonly Message[],
): Promise<number | null> {
  const ids = [...new Set(messages.map(({ run_id }) => run_id))];
  const runs = await Promise.all(ids.map((id) => read.get(runTable, id)));
  return runs.reduce<number | null>((known, run) => known ?? run?.forgotten_at ?? null, null);
}

async function cutBefore(
  read: CommittedReader,
  session_id: string,
  before: number,
): Promise<HistoryCut | undefined> {
  const newest = await read.get(historyCutTable, session_id);
  if (newest === undefined || newest.made_at_position < before) return newest;
  const ofSession = { index: "by_session", equals: [session_id] };
  const past = { ...ofSession, before, descending: true, limit: 1 };
  return (await read.select(pastCutTable, past))[0];
}

function isAnswerOf({ run_id }: Run, message: Message): boolean {
  return message.run_id === run_id && message.role === "assistant";
}

/** What a model is shown begins with a person's words: in a run longer than what is carried, with those that began it. */
function beginningWithUser(
  messages: readonly Message[],
  began: Message | undefined,
): readonly Message[] {
  const start = messages.findIndex(({ role }) => role === "user");
  if (start >= 0) return messages.slice(start);
  return began === undefined ? messages : [began, ...messages];
}

/** Providers take no call without a result. */
function endingsOf(messages: readonly Message[], run: Run): Message[] {
  const open = new Set<string>();
  const own = messages.filter(({ run_id }) => run_id === run.run_id);
  for (const block of own.flatMap(({ content }) => content)) {
    if (block.type === "tool_use") open.add(block.id);
    if (block.type === "tool_result") open.delete(block.tool_call_id);
  }
  const { session_id, run_id } = run;
  const { position = 0, at = run.started_at } = messages.at(-1) ?? {};
  return [...open].map((id) => ({
    position,
    session_id,
    run_id,
    role: "tool",
    content: [
      { type: "tool_result", tool_call_id: id, output: cutOff, is_error: true, origin: ownOrigin },
    ],
    at,
  }));
}
