import type { Conversations, Said } from "../ports/conversations.ts";
import type { CommittedReader } from "../ports/store.ts";
import { AgentError } from "../schema/errors.ts";
import { textOf } from "../schema/llm.ts";
import { runTable } from "../schema/rows/run-rows.ts";
import {
  type Message,
  messageTable,
  type Session,
  sessionTable,
} from "../schema/rows/session-rows.ts";
import type { SessionPlace } from "../schema/session-place.ts";
import { keyIn, placeIn } from "./session-key.ts";

/** Committed rows of conversations, read backwards: newest first over all sessions that one of them may see. */

/** What one look back may read, whosever rows they are; what tools answered is read with the rest. */
export type LookBackLimits = {
  readonly sessions: number;
  readonly messages: number;
  readonly characters: number;
};

const usualLimits: LookBackLimits = { sessions: 2_000, messages: 5_000, characters: 20_000_000 };
const messagesAtOnce = 50;

export type LookingRun = {
  readonly agent_id: string;
  readonly session_address: string;
  readonly run_id: string;
};

export function earlierConversations(
  read: CommittedReader,
  run: LookingRun,
  limits = usualLimits,
): Conversations {
  return {
    async lookBack(see, signal) {
      const newest = { index: "by_last", descending: true, limit: limits.sessions };
      const sessions = await read.select(sessionTable, newest);
      const from = placeIn(keyIn(run.session_address));
      const visible = sessions.filter(({ key }) => maySee(from, placeIn(key)));
      const budget: Budget = { ...limits, isSpent: false };
      const isForgotten = forgottenRuns(read);
      const spokenIn = (session: Session) => spoken(read, { session, run, budget, isForgotten });
      for await (const said of inOrder(visible, spokenIn)) {
        if (signal.aborted) throw new AgentError("activity.aborted", "The look back was stopped.");
        if (budget.isSpent || !see(said)) return false;
      }
      return !budget.isSpent && sessions.length < limits.sessions;
    },
  };
}

/** The owner at the keyboard sees all that the agent talked about; anybody else what they said themselves in the same chat, whatever
 *  its topic: a group never hears what was said in private or in another group. */
export function maySee(from: SessionPlace, other: SessionPlace): boolean {
  if (from.agent_id !== other.agent_id) return false;
  if (from.channel_type === "local" && from.connector_id === "local") return true;
  return (
    from.channel_type === other.channel_type &&
    from.connector_id === other.connector_id &&
    from.user_scope === other.user_scope &&
    chatOf(from) === chatOf(other)
  );
}

function chatOf({ conversation_scope }: SessionPlace): string | undefined {
  return conversation_scope.split("/", 1)[0];
}

type Spoken = Said & Pick<Message, "position">;

type Opened = { newest: Spoken; readonly older: AsyncGenerator<Spoken, void> };

/** Over all sessions; one is opened when its last message may come next, so that few are open at once.
 *  @param sessions newest first */
async function* inOrder(
  sessions: readonly Session[],
  spokenIn: (session: Session) => Opened["older"],
): AsyncGenerator<Said, void> {
  const waiting = [...sessions];
  let opened: Opened[] = [];
  for (;;) {
    let next = newestOf(opened);
    while (waiting[0] !== undefined && waiting[0].last_at >= (next?.newest.at ?? 0)) {
      const older = spokenIn(waiting[0]);
      const { value } = await older.next();
      if (value !== undefined) opened.push({ newest: value, older });
      waiting.shift();
      next = newestOf(opened);
    }
    if (next === undefined) return;
    yield next.newest;
    const { value } = await next.older.next();
    if (value === undefined) opened = opened.filter((each) => each !== next);
    else next.newest = value;
  }
}

function newestOf(opened: readonly Opened[]): Opened | undefined {
  return opened.reduce<Opened | undefined>(
    (best, each) =>
      best !== undefined && best.newest.position > each.newest.position ? best : each,
    undefined,
  );
}

type Budget = { messages: number; characters: number; isSpent: boolean };

/** Something that the run said was forgotten. A fork's messages name the runs that they were copied from. */
type IsForgotten = (run_id: string) => Promise<boolean>;

function forgottenRuns(read: CommittedReader): IsForgotten {
  const known = new Map<string, boolean>();
  return async (run_id) => {
    const isForgotten =
      known.get(run_id) ?? ((await read.get(runTable, run_id))?.forgotten_at ?? null) !== null;
    known.set(run_id, isForgotten);
    return isForgotten;
  };
}

type Look = {
  readonly session: Session;
  readonly run: LookingRun;
  readonly budget: Budget;
  readonly isForgotten: IsForgotten;
};

/** One session's texts, newest first. */
async function* spoken(
  read: CommittedReader,
  { session: { session_id }, run, budget, isForgotten }: Look,
): AsyncGenerator<Spoken, void> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const limit = Math.min(messagesAtOnce, budget.messages);
    budget.isSpent ||= limit <= 0 || budget.characters <= 0;
    if (budget.isSpent) return;
    const ofSession = { index: "by_session", equals: [session_id], descending: true };
    const rows = await read.select(messageTable, { ...ofSession, before, limit });
    budget.messages -= rows.length;
    for (const { position, role, content, run_id, at } of rows) {
      before = position;
      budget.characters -= JSON.stringify(content).length;
      const text = textOf(content);
      if (role === "tool" || text === "" || run_id === run.run_id) continue;
      if (await isForgotten(run_id)) continue;
      yield { session_id, role, text, at, position };
    }
    if (rows.length < limit) return;
  }
}
