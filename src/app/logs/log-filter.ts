import {
  type LogFilter,
  logLevels,
  type LogRecord,
  logRecord,
} from "../../schema/shown/log-record.ts";
import { hasAll, isBetween } from "../filter.ts";

/** @returns undefined for a line that is no record, such as one that a crash has cut */
export function readRecord(line: string): LogRecord | undefined {
  try {
    return logRecord.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function matchesLog(record: LogRecord, filter: LogFilter): boolean {
  const { trace, run, session, agent, level = "debug" } = filter;
  const { trace_id, run_id, session_id, agent_id } = record;
  const wanted = [
    [trace, trace_id],
    [run, run_id],
    [session, session_id],
    [agent, agent_id],
  ] as const;
  return (
    hasAll(wanted) &&
    logLevels.indexOf(record.level) >= logLevels.indexOf(level) &&
    isBetween(Date.parse(record.time), filter)
  );
}
