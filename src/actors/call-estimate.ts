import type { RowReader } from "../ports/store.ts";
import { withoutOrigins } from "../prompt/history.ts";
import type { CallModelInput } from "../schema/activities.ts";
import {
  type HistoryCut,
  historyCutTable,
  type ModelCall,
  modelCallTable,
} from "../schema/rows/model-rows.ts";
import { runTable } from "../schema/rows/run-rows.ts";
import { inboxTable, type Message, messageTable } from "../schema/rows/session-rows.ts";

/** How many tokens of input a model call may have: what the session's last one had and answered, and what was said since. Reads a
 *  bounded number of rows, however long the conversation is. Of one that was shortened since, it is what is left. */

/** Words have more letters than that; code, and what is no English, has fewer. */
const bytesPerToken = 3;
const tokensPerMessage = 8;
const runsLookedAt = 8;
const mostRowsRead = 128;
const mostWaiting = 128;

type Carried = {
  /** The length of all that the first call of a conversation carries: its prompt and its tools. */
  readonly beginning: () => number;
  /** Tokens that the first call of a run may be given from memory. */
  readonly recalled: number;
};

export function estimatedInput(
  read: RowReader,
  input: CallModelInput,
  { beginning, recalled }: Carried,
): number {
  const { run_id } = input;
  const reminders = lastCallOf(read, run_id) === undefined ? recalled : 0;
  const { before, added } = sentSince(read, input, beginning);
  const waiting = read
    .select(inboxTable, { index: "by_run", equals: [run_id], limit: mostWaiting })
    .map(({ text }) => text);
  const said = added.map(({ content }) => JSON.stringify(withoutOrigins(content)));
  return [...said, ...waiting].reduce(
    (sum, text) => sum + tokensOf(byteLength(text)) + tokensPerMessage,
    before + reminders,
  );
}

type Sent = {
  /** In tokens. */
  readonly before: number;
  readonly added: readonly Message[];
};

function sentSince(read: RowReader, input: OfSession, beginning: () => number): Sent {
  const last = lastCall(read, input);
  const { added, answeredAt } = messagesSince(read, input.session_id, last);
  const cut = read.get(historyCutTable, input.session_id);
  const isShorterNow = cut !== undefined && cut.made_at_position > answeredAt;
  const left = isShorterNow ? leftBy(read, cut) : undefined;
  if (left !== undefined)
    return { before: tokensOf(beginning() + byteLength(cut?.summary ?? "")), added: left };
  const before =
    last === undefined ? tokensOf(beginning()) : last.input_tokens + last.output_tokens;
  return { before, added };
}

/** What is still shown of a conversation that was shortened since its last call; undefined where that is too much to look at. */
function leftBy(
  read: RowReader,
  { session_id, from_position: from, kept }: HistoryCut,
): readonly Message[] | undefined {
  const since = { index: "by_session", equals: [session_id], from, limit: mostRowsRead };
  const rows = read.select(messageTable, since);
  if (rows.length >= mostRowsRead) return undefined;
  const before = kept.flatMap((position) => read.get(messageTable, position) ?? []);
  return [...before, ...rows];
}

export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

type OfSession = Pick<CallModelInput, "session_id" | "run_id">;

function lastCall(read: RowReader, { session_id, run_id }: OfSession): ModelCall | undefined {
  const mine = lastCallOf(read, run_id);
  if (mine !== undefined) return mine;
  const query = { index: "by_session", equals: [session_id], descending: true };
  for (const run of read.select(runTable, { ...query, limit: runsLookedAt })) {
    const found = lastCallOf(read, run.run_id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lastCallOf(read: RowReader, run_id: string): ModelCall | undefined {
  const query = { index: "by_run", equals: [run_id], descending: true, limit: 1 };
  return read.select(modelCallTable, query)[0];
}

/** Newest first, down to the answer that the call ended with; one that did not answer leaves more, which errs on the safe side. */
function messagesSince(
  read: RowReader,
  session_id: string,
  call: ModelCall | undefined,
): { readonly added: readonly Message[]; readonly answeredAt: number } {
  const query = { index: "by_session", equals: [session_id], descending: true };
  for (let limit = 8; ; limit *= 4) {
    const newest = read.select(messageTable, { ...query, limit: Math.min(limit, mostRowsRead) });
    const answer = newest.findIndex(
      ({ role, at }) => role === "assistant" && at <= (call?.at ?? 0),
    );
    const answeredAt = newest[answer]?.position ?? 0;
    if (answer >= 0) return { added: newest.slice(0, answer), answeredAt };
    if (newest.length < limit || limit >= mostRowsRead) return { added: newest, answeredAt };
  }
}

/** Of the text as UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) bytes += 2;
    else bytes += 3;
  }
  return bytes;
}
