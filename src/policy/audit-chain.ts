import type { AuditRow } from "../schema/rows/audit-rows.ts";
import { hashOf } from "./canonical-json.ts";

/** Audit rows are numbered without a gap, and each holds a hash over itself and the one before. */

const chainStart = "statehive";

/** Gives a row its place after `previous`, the newest row so far. */
export function chained(
  row: AuditRow,
  previous: Pick<AuditRow, "n" | "hash"> | undefined,
): AuditRow {
  const placed = { ...row, n: (previous?.n ?? 0) + 1, prev_hash: previous?.hash ?? chainStart };
  return { ...placed, hash: auditHash(placed) };
}

/** Rows without a reason are hashed as they were before there were any. */
function auditHash(row: AuditRow): string {
  const { hash: _hash, reason, ...covered } = row;
  return hashOf(reason === null ? covered : { ...covered, reason });
}

export type ChainFault = { readonly n: number; readonly message: string };

/** Checks one row after the other; what retention removed is a prefix, so the first row present may have any number. */
export function chainFault(
  row: AuditRow,
  previous: Pick<AuditRow, "n" | "hash"> | undefined,
): ChainFault | undefined {
  const { n } = row;
  if (previous !== undefined && n !== previous.n + 1) {
    return { n, message: `rows ${previous.n + 1} to ${n - 1} are missing` };
  }
  if (previous !== undefined && row.prev_hash !== previous.hash) {
    return { n, message: "it does not follow the row before it" };
  }
  if (n === 1 && row.prev_hash !== chainStart) return { n, message: "it does not begin the chain" };
  return auditHash(row) === row.hash ? undefined : { n, message: "its content was changed" };
}

/** What is missing at the end: `head` says which row was the newest one written. */
export function endFault(
  last: Pick<AuditRow, "n" | "hash"> | undefined,
  head: Pick<AuditRow, "n" | "hash"> | undefined,
): ChainFault | undefined {
  if (last?.n === head?.n && last?.hash === head?.hash) return undefined;
  const n = (last?.n ?? 0) + 1;
  return { n, message: `the rows from ${n} to ${head?.n ?? "the end"} are missing` };
}
