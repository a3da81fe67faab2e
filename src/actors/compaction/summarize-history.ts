import type { ActivityContext, ActivityKind } from "../../engine/activities/activity-kind.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { digestOf } from "../../prompt/digest.ts";
import { historyQuestion } from "../../prompt/summary-question.ts";
import type { SummarizeHistoryInput, SummarizeHistoryOutput } from "../../schema/activities.ts";
import { historyCutTable } from "../../schema/rows/model-rows.ts";
import {
  forgottenSessionTable,
  type Message,
  messageTable,
} from "../../schema/rows/session-rows.ts";
import { historyAnswer } from "../../schema/summary-answers.ts";
import type { Agents } from "../agent.ts";
import type { ModelAside } from "../model-aside.ts";
import { askShorter, readAnswer } from "./ask-for-summary.ts";
import { partitionToWrite } from "./may-remember.ts";
import { instructionTokens, mostRows, summaryTokens } from "./summary-size.ts";

export type SummarizeOptions = {
  readonly agents: Agents;
  readonly aside: ModelAside;
  readonly read: () => CommittedReader;
};

/** Sums up what is to be left out of a conversation, the oldest part that no summary tells of yet. */
export function createSummarizeHistory(
  options: SummarizeOptions,
): ActivityKind<SummarizeHistoryInput, SummarizeHistoryOutput> {
  const { aside } = options;
  return {
    recovery: "repeat",
    maxConcurrent: 4,
    retry: { attempts: 3, backoffMs: 1_000, maxBackoffMs: 30_000 },
    admit: (store, input, attempt) =>
      aside.admit(
        store,
        {
          ...workOf(input),
          inputTokens: input.tokens + instructionTokens,
          maxTokens: summaryTokens,
        },
        attempt,
      ),
    settled: (store, attempt) => aside.settled(store, attempt, workOf(attempt.input)),
    run: (context) => summarizeHistory(options, context),
  };
}

function workOf({ agent_id, session_id }: SummarizeHistoryInput) {
  return { agent_id, session_id, work_id: `compaction/${session_id}` };
}

async function summarizeHistory(
  { agents, aside, read }: SummarizeOptions,
  { input, signal, key }: ActivityContext<SummarizeHistoryInput>,
): Promise<SummarizeHistoryOutput> {
  const { session_id, agent_id, until } = input;
  const cut = await read().get(historyCutTable, session_id);
  const from = cut?.summary_until ?? 0;
  const rows = await newestBefore(read(), { session_id, from, until });
  const agent = agents.get(agent_id);
  const isForgotten = (await read().get(forgottenSessionTable, session_id)) !== undefined;
  const partition =
    agent === undefined || isForgotten ? null : partitionToWrite(agent.policy, input);
  const { answer, asked: digest } = await askShorter((bytes) => {
    const told = digestOf(rows, until, bytes);
    const question = historyQuestion({
      digest: told.text,
      earlier: cut?.summary ?? null,
      wantsFacts: partition !== null,
    });
    const call = { signal, key };
    const wanted = { ...question, agent_id, maxTokens: summaryTokens };
    return { asked: told, answer: aside.ask(wanted, call) };
  });
  const { summary, facts } = readAnswer(answer, historyAnswer);
  const { usage, model } = answer;
  const kept = partition === null ? [] : facts;
  return { summary, facts: kept, partition, until: digest.until, usage, model };
}

type Range = { readonly session_id: string; readonly from: number; readonly until: number };

async function newestBefore(
  read: CommittedReader,
  { session_id, from, until }: Range,
): Promise<readonly Message[]> {
  const rows = await read.select(messageTable, {
    index: "by_session",
    equals: [session_id],
    from,
    before: until,
    descending: true,
    limit: mostRows,
  });
  return rows.toReversed();
}
