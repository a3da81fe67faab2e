import { examineLibsql } from "../../adapters/engine/examine-libsql.ts";
import { openReadOnly } from "../../adapters/engine/open-read-only.ts";
import type { CommittedReader } from "../../ports/store.ts";
import { toErrorData } from "../../schema/errors.ts";
import type { ChainReport } from "../../schema/socket/protocol.ts";
import { auditHeadTable, auditTable } from "../../schema/rows/audit-rows.ts";
import { messageTable } from "../../schema/rows/session-rows.ts";
import { verifyAudit } from "../records/verify-audit.ts";
import { allTables } from "../hive-engine.ts";

/** What can be known of a database file without a service, and while one runs. */
export type DatabaseReport =
  | { readonly kind: "absent"; readonly path: string }
  | {
      readonly kind: "unreadable";
      readonly path: string;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly kind: "read";
      readonly path: string;
      readonly bytes: number;
      readonly version: number;
      readonly latest: number;
      /** Faults; null for a file too large to be checked here. */
      readonly quick_check: readonly string[] | null;
      /** Null where the rows cannot be read: another version, or damage. */
      readonly audit: (Pick<ChainReport, "rows" | "fault"> & { readonly total: number }) | null;
      readonly newest_at: number | null;
    };

const largestChecked = 1024 ** 3;

/** @param url `file:/absolute/path`   @param mostAuditRows so many of the newest are checked */
export async function inspectDatabase(
  url: string,
  mostAuditRows = 20_000,
): Promise<DatabaseReport> {
  try {
    const { path, file } = examineLibsql(url, largestChecked);
    if (file === null) return { kind: "absent", path };
    const { bytes, version, latest, quickCheck } = file;
    const isReadable = version === latest && (quickCheck ?? []).length === 0;
    const records = isReadable
      ? await readRecords(url, mostAuditRows)
      : { audit: null, newest_at: null };
    return { kind: "read", path, bytes, version, latest, quick_check: quickCheck, ...records };
  } catch (thrown) {
    const { code, message } = toErrorData(thrown);
    return { kind: "unreadable", path: url.slice("file:".length), code, message };
  }
}

type Records = Pick<Extract<DatabaseReport, { kind: "read" }>, "audit" | "newest_at">;

async function readRecords(url: string, mostAuditRows: number): Promise<Records> {
  const { committed, close } = await openReadOnly({ url, tables: allTables });
  try {
    return {
      audit: await checkAudit(committed, mostAuditRows),
      newest_at: await newestTime(committed),
    };
  } finally {
    await close();
  }
}

/** The newest rows only, in a trail so long that nobody would wait for the rest. */
async function checkAudit(read: CommittedReader, most: number): Promise<Records["audit"]> {
  const newest = (await read.get(auditHeadTable, "audit"))?.n ?? 0;
  const [oldest] = await read.select(auditTable, { index: "key", limit: 1 });
  const total = newest - (oldest?.n ?? newest + 1) + 1;
  const after = Math.max(0, newest - most);
  const { ok, rows, fault } = await verifyAudit(read, after);
  if (ok) return { rows, total: Math.max(total, rows), fault };
  const again = await verifyAudit(read, after);
  return { rows: again.rows, total, fault: again.fault };
}

async function newestTime(read: CommittedReader): Promise<number | null> {
  const last = { index: "key", descending: true, limit: 1 } as const;
  const [audit] = await read.select(auditTable, last);
  const [message] = await read.select(messageTable, last);
  const times = [audit?.at, message?.at].filter((at) => at !== undefined);
  return times.length === 0 ? null : Math.max(...times);
}
