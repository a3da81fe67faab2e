import type { RowReader } from "../ports/store.ts";
import { withoutOrigins } from "../prompt/history.ts";
import type { CallModelInput } from "../schema/activities.ts";
import { type ModelCall, modelCallTable } from "../schema/model-rows.ts";
import { runTable } from "../schema/run-rows.ts";
import { inboxTable, type Message, messageTable } from "../schema/session-rows.ts";

/** How many tokens of input a model call may have: what the session's last one had and answered, and what was said since. Reads a
 *  bounded number of rows, however long the conversation is. */

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
  { session_id, run_id }: CallModelInput,
  { beginning, recalled }: Carried,
): number {
  const reminders = lastCallOf(read, run_id) === undefined ? recalled : 0;
  const last = lastCall(read, { session_id, run_id });
  const before =
    last === undefined ? tokensOf(beginning()) : last.input_tokens + last.output_tokens;
  const added = messagesSince(read, session_id, last).map(({ content }) =>
    JSON.stringify(withoutOrigins(content)),
  );
  const waiting = read
    .select(inboxTable, { index: "by_run", equals: [run_id], limit: mostWaiting })
    .map(({ text }) => text);
  return [...added, ...waiting].reduce(
    (sum, text) => sum + tokensOf(byteLength(text)) + tokensPerMessage,
    before + reminders,
  );
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
): readonly Message[] {
  const query = { index: "by_session", equals: [session_id], descending: true };
  for (let limit = 8; ; limit *= 4) {
    const newest = read.select(messageTable, { ...query, limit: Math.min(limit, mostRowsRead) });
    const answer = newest.findIndex(
      ({ role, at }) => role === "assistant" && at <= (call?.at ?? 0),
    );
    if (answer >= 0) return newest.slice(0, answer);
    if (newest.length < limit || limit >= mostRowsRead) return newest;
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
