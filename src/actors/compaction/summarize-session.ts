import type { ActivityContext, ActivityKind } from "../../engine/activities/activity-kind.ts";
import { digestOf } from "../../prompt/digest.ts";
import { earlierSummary, episodeQuestion } from "../../prompt/summary-question.ts";
import type { SummarizeSessionInput, SummarizeSessionOutput } from "../../schema/activities.ts";
import { historyCutTable } from "../../schema/rows/model-rows.ts";
import { messageTable } from "../../schema/rows/session-rows.ts";
import { episodeAnswer } from "../../schema/summary-answers.ts";
import { askShorter, readAnswer } from "./ask-for-summary.ts";
import type { SummarizeOptions } from "./summarize-history.ts";
import { episodeTokens, instructionTokens, mostTokensAtOnce } from "./summary-size.ts";

const mostMessages = 200;

/** The short account of a whole conversation: of its summary, where it has one, and of what was said since. */
export function createSummarizeSession(
  options: SummarizeOptions,
): ActivityKind<SummarizeSessionInput, SummarizeSessionOutput> {
  const { aside } = options;
  const size = { inputTokens: mostTokensAtOnce + instructionTokens, maxTokens: episodeTokens };
  return {
    recovery: "repeat",
    maxConcurrent: 2,
    retry: { attempts: 4, backoffMs: 2_000, maxBackoffMs: 60_000 },
    admit: (store, input, attempt) => aside.admit(store, { ...workOf(input), ...size }, attempt),
    settled: (store, attempt) => aside.settled(store, attempt, workOf(attempt.input)),
    run: (context) => summarizeSession(options, context),
  };
}

function workOf({ agent_id, session_id }: SummarizeSessionInput) {
  return { agent_id, session_id, work_id: `episode/${session_id}` };
}

async function summarizeSession(
  { aside, read }: SummarizeOptions,
  { input, signal, key }: ActivityContext<SummarizeSessionInput>,
): Promise<SummarizeSessionOutput> {
  const { session_id, agent_id } = input;
  const cut = await read().get(historyCutTable, session_id);
  const rows = await read().select(messageTable, {
    index: "by_session",
    equals: [session_id],
    from: cut?.summary_until ?? 0,
    descending: true,
    limit: mostMessages,
  });
  const end = (rows[0]?.position ?? 0) + 1;
  const { answer } = await askShorter((bytes) => {
    const told = digestOf(rows.toReversed(), end, bytes);
    const question = episodeQuestion(`${earlierSummary(cut?.summary ?? null)}${told.text}`);
    const wanted = { ...question, agent_id, maxTokens: episodeTokens };
    return { asked: told, answer: aside.ask(wanted, { signal, key }) };
  });
  const { entry } = readAnswer(answer, episodeAnswer);
  return { text: entry, usage: answer.usage, model: answer.model };
}
