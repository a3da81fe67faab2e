import type { DatabaseReport } from "../../app/database/inspect-database.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import { databaseUrl, type Patient } from "./patient.ts";

/** The file with everything in it: whole, of this version, its audit trail unbroken, and not from the future. */
export async function databaseChecks(patient: Patient): Promise<readonly Finding[]> {
  if (patient.config === null) return [];
  const url = databaseUrl(patient);
  if (!url.startsWith("file:"))
    return [ok("database", url === "memory" ? "kept in memory" : `${url}, not asked`)];
  const { inspectDatabase } = await import("../../app/database/inspect-database.ts");
  return databaseFindings(await inspectDatabase(url), patient.context.now);
}

export function databaseFindings(report: DatabaseReport, now: number): readonly Finding[] {
  const { path } = report;
  if (report.kind === "absent")
    return [ok("database", `there is no ${path} yet; the first start makes it`)];
  if (report.kind === "unreadable") return [unreadable(path, report)];
  const size = `${Math.ceil(report.bytes / 1024)} KiB`;
  return [
    versionFinding(report),
    report.quick_check === null
      ? ok("database", `${path}, ${size}: too large to be checked whole here`)
      : wholeFinding(path, size, report.quick_check),
    ...(report.audit === null ? [] : [auditFinding(report.audit)]),
    ...(report.newest_at === null ? [] : [newestFinding(report.newest_at, now)]),
  ];
}

type Read = Extract<DatabaseReport, { kind: "read" }>;

function unreadable(
  path: string,
  { code, message }: Extract<DatabaseReport, { kind: "unreadable" }>,
) {
  const fix =
    code === "store.corrupt"
      ? "keep the damaged file; `statehive restore` puts a copy that `statehive backup` made in its place"
      : `see who may read ${path}, and whether its disk is well`;
  return fail("database", `${path}: ${message}`, fix);
}

function versionFinding({ version, latest }: Read): Finding {
  const check = "database version";
  if (version === latest) return ok(check, String(version));
  if (version > latest)
    return fail(
      check,
      `${version}; this statehive knows versions up to ${latest}`,
      "update statehive, or restore an older copy",
    );
  return warn(
    check,
    `${version}, not ${latest}`,
    "`statehive restart` brings it up to date, after a copy",
  );
}

function wholeFinding(path: string, size: string, said: readonly string[]): Finding {
  if (said.length === 0) return ok("database", `${path}, ${size}, whole`);
  return fail(
    "database",
    `${path} is damaged: ${said.slice(0, 3).join("; ")}`,
    "keep the damaged file; `statehive restore` puts a copy that `statehive backup` made in its place",
  );
}

function auditFinding({ rows, total, fault }: NonNullable<Read["audit"]>): Finding {
  const check = "audit trail";
  const which =
    rows < total ? `the last ${rows} of ${total} rows are whole` : `${rows} rows, whole`;
  if (fault === null) return ok(check, which);
  return fail(
    check,
    `broken at row ${fault.n}: ${fault.message}`,
    "somebody changed the database; compare it with a copy",
  );
}

const toleratedSkewMs = 120_000;

function newestFinding(newestAt: number, now: number): Finding {
  const newest = new Date(newestAt).toISOString();
  if (newestAt <= now + toleratedSkewMs) return ok("clock and records", `newest row ${newest}`);
  return warn(
    "clock and records",
    `the newest row is from the future: ${newest}`,
    "set the clock, or know that timers and deadlines fire late until then; `timedatectl` shows what keeps it",
  );
}
