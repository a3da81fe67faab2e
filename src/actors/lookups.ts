import type { Lookup } from "../engine/engine.ts";
import { auditHeadTable, type AuditRow, inboxTable, slotTable } from "../schema/rows.ts";
import { chained } from "../policy/audit-chain.ts";
import type { RowCompletion } from "../engine/engine.ts";
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
    nextInboxMessage: (read, { session_address }) =>
      read
        .select(inboxTable, { index: "by_owner", equals: [session_address as string], limit: 1 })
        .map(({ seq, text, trace, at }) => ({
          to: "self",
          event: { type: "inbox.taken", seq, text, trace, at },
        })),
  };
}

export const completions: { readonly [table: string]: RowCompletion } = {
  audit: (row, store) => {
    const placed = chained(row as AuditRow, store.get(auditHeadTable, "audit"));
    store.put(auditHeadTable, { name: "audit", n: placed.n, hash: placed.hash });
    return placed;
  },
};
