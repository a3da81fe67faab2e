import type { Lookup } from "../engine/engine.ts";
import type { RowReader } from "../ports/store.ts";
import { longestText } from "../schema/queue.ts";
import { type InboxMessage, inboxTable } from "../schema/rows/session-rows.ts";
import {
  type AskedCompaction,
  type CompactionParts,
  dueEvents,
} from "./compaction/compaction-due.ts";

/** Whose turn it is in a session: behind a run, only where its conversation has room for another. */
export function createNextInboxMessage(compaction: CompactionParts): Lookup {
  return (read, args) => {
    const { session_address, run_id } = args;
    const asked = args as unknown as AskedCompaction;
    const due = run_id === null ? [] : dueEvents(compaction, read, asked);
    const before = due.map((event) => ({ to: "self", event }));
    if (due.some(({ tokens }) => tokens !== undefined)) return before;
    const [first, ...others] = nextMessages(read, session_address as string);
    if (first === undefined) return before;
    const { seq, trace, at } = first;
    const boundary = first.boundary === null ? {} : { boundary: [...first.boundary] };
    const text = [first, ...others].map((message) => message.text).join(paragraph);
    return [
      ...before,
      { to: "self", event: { type: "inbox.taken", seq, text, trace, at, ...boundary } },
      ...others.map((other) => ({
        to: "self",
        event: { type: "inbox.joined", seq: other.seq, trace: other.trace, run_trace: trace },
      })),
    ];
  };
}

const paragraph = "\n\n";

/** The message whose turn it is, and those that are collected with it, as many as make a text of permitted length; one with a
 *  boundary of its own has a run of its own. */
function nextMessages(read: RowReader, owner: string): readonly InboxMessage[] {
  const [first] = read.select(inboxTable, { index: "by_owner", equals: [owner], limit: 1 });
  if (first === undefined) return [];
  if (first.mode !== "collect" || first.boundary !== null) return [first];
  const waiting = read.select(inboxTable, { index: "by_mode", equals: [owner, "collect"] });
  let length = -paragraph.length;
  const end = waiting.findIndex(({ text, boundary }) => {
    length += paragraph.length + text.length;
    return length > longestText || boundary !== null;
  });
  return end < 0 ? waiting : waiting.slice(0, Math.max(1, end));
}
