import type { Lookup } from "../engine/engine.ts";
import {
  auditHeadTable,
  type AuditRow,
  type InboxMessage,
  inboxTable,
  slotTable,
} from "../schema/rows.ts";
import { longestText } from "../schema/queue.ts";
import { chained } from "../policy/audit-chain.ts";
import type { RowCompletion } from "../engine/engine.ts";
import type { RowReader } from "../ports/store.ts";
import type { JudgedCall, Judge } from "./judge-call.ts";

/** The named reads of the machines: each is answered from what is true inside the transaction. */
export function createLookups(
  judge: Judge,
  maxConcurrentRuns: number,
): { readonly [name: string]: Lookup } {
  return {
    judgeCall: (read, args) => {
      const given = judge(read, args as unknown as JudgedCall);
      return [{ to: "self", event: { type: "verdict.given", ...given } }];
    },
    grantSlots: (read) => {
      const holding = read.select(slotTable, {
        index: "by_state",
        equals: ["holding"],
        limit: maxConcurrentRuns,
      });
      const room = maxConcurrentRuns - holding.length;
      if (room <= 0) return [];
      return read
        .select(slotTable, { index: "by_state", equals: ["waiting"], limit: room })
        .map(({ address }) => ({ to: address, event: { type: "slot.granted" } }));
    },
    nextInboxMessage: (read, { session_address }) => {
      const [first, ...others] = nextMessages(read, session_address as string);
      if (first === undefined) return [];
      const { seq, trace, at } = first;
      const text = [first, ...others].map((message) => message.text).join(paragraph);
      return [
        { to: "self", event: { type: "inbox.taken", seq, text, trace, at } },
        ...others.map((other) => ({
          to: "self",
          event: { type: "inbox.joined", seq: other.seq, trace: other.trace, run_trace: trace },
        })),
      ];
    },
    steeredMessages: (read, { run_id, limit }) =>
      read
        .select(inboxTable, {
          index: "by_run",
          equals: [run_id as string],
          limit: limit as number,
        })
        .map(({ seq, text, trace }) => ({
          to: "self",
          event: { type: "inbox.handed", seq, text, trace },
        })),
  };
}

const paragraph = "\n\n";

/** The message whose turn it is, and those that are collected with it, as many as make a text of permitted length. */
function nextMessages(read: RowReader, owner: string): readonly InboxMessage[] {
  const [first] = read.select(inboxTable, { index: "by_owner", equals: [owner], limit: 1 });
  if (first === undefined || first.mode !== "collect") return first === undefined ? [] : [first];
  const waiting = read.select(inboxTable, { index: "by_mode", equals: [owner, "collect"] });
  let length = -paragraph.length;
  const tooLong = waiting.findIndex(({ text }) => {
    length += paragraph.length + text.length;
    return length > longestText;
  });
  return tooLong < 0 ? waiting : waiting.slice(0, Math.max(1, tooLong));
}

export const completions: { readonly [table: string]: RowCompletion } = {
  audit: (row, store) => {
    const placed = chained(row as AuditRow, store.get(auditHeadTable, "audit"));
    store.put(auditHeadTable, { name: "audit", n: placed.n, hash: placed.hash });
    return placed;
  },
};
