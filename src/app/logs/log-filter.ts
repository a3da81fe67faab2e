import { type LogFilter, logLevels, type LogRecord, logRecord } from "../../schema/log-record.ts";

/** @returns undefined for a line that is no record, such as one that a crash has cut */
export function readRecord(line: string): LogRecord | undefined {
  try {
    return logRecord.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function matchesLog(record: LogRecord, filter: LogFilter): boolean {
  const { trace, run, session, agent, level = "debug", after, before } = filter;
  const { trace_id, run_id, session_id, agent_id } = record;
  const wanted = [
    [trace, trace_id],
    [run, run_id],
    [session, session_id],
    [agent, agent_id],
  ] as const;
  if (wanted.some(([want, has]) => want !== undefined && want !== has)) return false;
  if (logLevels.indexOf(record.level) < logLevels.indexOf(level)) return false;
  const at = Date.parse(record.time);
  return (
    (after === undefined || at >= Date.parse(after)) &&
    (before === undefined || at < Date.parse(before))
  );
}
