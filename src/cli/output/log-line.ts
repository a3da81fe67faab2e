import type { LogLevel, LogRecord } from "../../schema/shown/log-record.ts";
import { shown } from "../../text/shown.ts";
import type { Style } from "./style.ts";

/** `2026-01-05 20:41:02.113 info  ToolExecuted  run_id=r4 tool=file_write`, with a stack or other long text below it. */
export function logLine(record: LogRecord, style: Style): string {
  const { time, level, message, ...fields } = record;
  const at = `${time.slice(0, 10)} ${time.slice(11, 23)}`;
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${shown(name)}=${shown(value)}`);
  const told = [`${at} ${level.padEnd(5)}`, shown(message), ...rest.map((one) => style.dim(one))];
  return paintOf(level, style)(told.join("  "));
}

function paintOf(level: LogLevel, { red, yellow, dim }: Style): (text: string) => string {
  if (level === "error") return red;
  if (level === "warn") return yellow;
  return level === "debug" ? dim : (text) => text;
}
