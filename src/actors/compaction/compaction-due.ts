import type { Lookup } from "../../engine/engine.ts";
import type { RowReader } from "../../ports/store.ts";
import { beforeNewest, type Room, sizeOf, whereToCompact } from "../../prompt/where-to-compact.ts";
import type { ContextSettings } from "../../schema/context-strategy.ts";
import type { CompactionReason, Cut } from "../../schema/contexts/session-context.ts";
import type { EventData } from "../../schema/events/event.ts";
import { type HistoryCut, historyCutTable, modelCallTable } from "../../schema/rows/model-rows.ts";
import { type Message, messageTable } from "../../schema/rows/session-rows.ts";
import { positionOf } from "../../schema/position.ts";
import type { ModelAside } from "../model-aside.ts";
import { bytesPerToken, mostTokensAtOnce } from "./summary-size.ts";

/** Whether a conversation is to be shortened before its next run, and where it begins then. Reads no more of it than a model is
 *  shown. */

export type CompactionParts = {
  readonly aside: Pick<ModelAside, "canAnswer">;
  readonly historyMessages: () => number;
  readonly context: () => ContextSettings;
};

export type AskedCompaction = {
  readonly session_id: string;
  readonly agent_id: string;
  /** The run that has just ended; null: a person asks. */
  readonly run_id: string | null;
};

export function createCompactionDue(parts: CompactionParts): Lookup {
  return (read, args) =>
    dueEvents(parts, read, args as unknown as AskedCompaction).map((event) => ({
      to: "self",
      event,
    }));
}

/** @returns at most one */
export function dueEvents(
  parts: CompactionParts,
  read: RowReader,
  asked: AskedCompaction,
): EventData[] {
  const shown = shownOf(read, asked, parts.historyMessages());
  const reason = reasonFor(parts, shown, asked);
  if (reason === undefined) return [];
  const { strategy } = parts.context();
  const wantsSummary = strategy === "summarize" || reason === "asked";
  const isSummarized = wantsSummary && parts.aside.canAnswer(asked.agent_id);
  if (!isSummarized && reason !== "tokens") return [];
  const cut = cutFor(parts, shown, reason);
  if (cut === undefined) return [];
  const tokens = isSummarized ? { tokens: tokensBefore(shown, cut) } : {};
  return [{ type: "compaction.due", ...cut, reason, ...tokens }];
}

type Shown = {
  readonly cut: HistoryCut | undefined;
  /** Oldest first, with what the cut kept. */
  readonly rows: readonly Message[];
  readonly isFull: boolean;
  /** Of the run's last model call, with its answer. */
  readonly lastTokens: number;
};

function shownOf(read: RowReader, { session_id, run_id }: AskedCompaction, most: number): Shown {
  const cut = read.get(historyCutTable, session_id);
  const from = cut?.from_position ?? 0;
  const since = { index: "by_session", equals: [session_id], from, descending: true, limit: most };
  const rows = read.select(messageTable, since).toReversed();
  const isFull = rows.length >= most;
  const kept = isFull ? [] : (cut?.kept ?? []).map((position) => read.get(messageTable, position));
  const [call] =
    run_id === null
      ? []
      : read.select(modelCallTable, {
          index: "by_run",
          equals: [run_id],
          descending: true,
          limit: 1,
        });
  return {
    cut,
    rows: [...kept.filter((row) => row !== undefined), ...rows],
    isFull,
    lastTokens: call === undefined ? 0 : call.input_tokens + call.output_tokens,
  };
}

function reasonFor(
  { context }: CompactionParts,
  { cut, isFull, lastTokens }: Shown,
  { run_id }: AskedCompaction,
): CompactionReason | undefined {
  const { strategy, maxTokens } = context();
  if (run_id === null) return "asked";
  if (strategy === "error") return undefined;
  const wasRefused =
    cut !== undefined && cut.summary_until < cut.from_position && isMadeIn(cut, run_id);
  if (wasRefused) return "refused";
  if (lastTokens >= maxTokens) return "tokens";
  return isFull ? "messages" : undefined;
}

/** A run's id has the number of the step that began it. */
function isMadeIn({ made_at_position }: HistoryCut, run_id: string): boolean {
  return made_at_position > positionOf(Number(run_id.slice(1)));
}

function cutFor(
  { historyMessages, context }: CompactionParts,
  { rows, lastTokens }: Shown,
  reason: CompactionReason,
): Cut | undefined {
  if (reason === "asked") return beforeNewest(rows);
  const { maxTokens } = context();
  const tokens = reason === "refused" ? Math.min(maxTokens, lastTokens) : maxTokens;
  const room: Room = {
    messages: Math.floor(historyMessages() / 2),
    bytes: (tokens * bytesPerToken) / 2,
  };
  return whereToCompact(rows, room);
}

/** Of what goes into the summary, as far as it is known here. */
function tokensBefore({ cut, rows, isFull }: Shown, { from_position }: Cut): number {
  const hasGap = isFull || (cut !== undefined && cut.summary_until < cut.from_position);
  if (hasGap) return mostTokensAtOnce;
  const going = rows.filter(({ position }) => position < from_position);
  const bytes = going.reduce((sum, row) => sum + sizeOf(row), cut?.summary?.length ?? 0);
  return Math.min(mostTokensAtOnce, Math.ceil(bytes / bytesPerToken));
}
