import type { CommittedReader } from "../ports/store.ts";
import type { ShownHistory } from "../prompt/shorter-history.ts";
import { type HistoryCut, historyCutTable } from "../schema/rows/model-rows.ts";
import { type Run, runTable } from "../schema/rows/run-rows.ts";
import { type Message, messageTable } from "../schema/rows/session-rows.ts";
import { positionOf } from "../schema/position.ts";

/** What a run's model is shown of its session: the whole run, and so much of what came before that run. */

export type Conversation = ShownHistory & {
  readonly kept: readonly Message[];
  readonly rows: readonly Message[];
  readonly thoughtsAfter: number;
  /** Something is left out that no summary tells of. */
  readonly isCut: boolean;
  readonly summary: string | null;
};

type Asked = { readonly session_id: string; readonly run: Run | undefined };

/** Looks back from where the run began, not from now: so each round sends what the one before sent, and more.
 *  @param mostMessages of which the run's first is one */
export async function readConversation(
  read: CommittedReader,
  { session_id, run }: Asked,
  mostMessages: number,
): Promise<Conversation> {
  const cut = await read.get(historyCutTable, session_id);
  const {
    from_position: from = 0,
    made_at_position: thoughtsAfter = 0,
    summary = null,
  } = cut ?? {};
  const began = positionOf(run?.seq ?? 0);
  const ofSession = { index: "by_session", equals: [session_id] };
  const own = await read.select(messageTable, { ...ofSession, from: Math.max(began, from) });
  const limit = mostMessages - 1;
  const earlier = await read.select(messageTable, {
    ...ofSession,
    from,
    before: began,
    descending: true,
    limit,
  });
  const older =
    earlier.length < limit ? [] : await restOfForkedRun(read, ofSession, { from, earlier });
  const rows = [...older, ...earlier.toReversed(), ...own];
  const reachesCut = cut !== undefined && (from > began || earlier.length < limit);
  const kept = reachesCut ? await messagesAt(read, cut.kept) : [];
  const start = kept.length > 0 ? 0 : rows.findIndex(({ role }) => role === "user");
  return {
    kept,
    rows: rows.slice(Math.max(0, start)),
    thoughtsAfter,
    isCut: isLeftOut(cut, reachesCut),
    summary,
  };
}

function isLeftOut(cut: HistoryCut | undefined, reachesCut: boolean): boolean {
  if (cut === undefined || cut.summary === null) return reachesCut;
  return cut.summary_until < cut.from_position;
}

type Looked = { readonly from: number; readonly earlier: readonly Message[] };

/** The first run of a fork goes on from within another session's run, which it is shown whole, as that run itself was. */
async function restOfForkedRun(
  read: CommittedReader,
  ofSession: { readonly index: string; readonly equals: readonly string[] },
  { from, earlier }: Looked,
): Promise<readonly Message[]> {
  const [newest, oldest] = [earlier[0], earlier.at(-1)];
  if (newest === undefined || newest.run_id !== oldest?.run_id) return [];
  const forked = await read.get(runTable, newest.run_id);
  if (forked?.session_id === newest.session_id) return [];
  const before = oldest.position;
  const rows = await read.select(messageTable, { ...ofSession, from, before });
  return rows.filter(({ run_id }) => run_id === newest.run_id);
}

async function messagesAt(
  read: CommittedReader,
  positions: readonly number[],
): Promise<readonly Message[]> {
  const found = await Promise.all(positions.map((position) => read.get(messageTable, position)));
  return found.filter((row) => row !== undefined);
}
