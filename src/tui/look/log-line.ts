import type { LogRecord } from "../../schema/shown/log-record.ts";
import type { Line, Style } from "../frame/frame.ts";
import { span } from "../frame/line.ts";
import { own, safe } from "../frame/safe-text.ts";
import { clockOf } from "./step-line.ts";

const levelStyles: { readonly [level in LogRecord["level"]]: Style } = {
  debug: { fg: "grey" },
  info: { fg: "blue" },
  warn: { fg: "yellow" },
  error: { fg: "red", bold: true },
};

const shownElsewhere = new Set(["time", "level", "message", "pid", "hostname"]);

/** `20:41:02.113 warn  the disk is full  run_id=r7` */
export function logLine(record: LogRecord): Line {
  const { time, level, message } = record;
  const fields = Object.entries(record)
    .filter(([name]) => !shownElsewhere.has(name))
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [
    span(own`${clockOf(time)} `, { fg: "grey" }),
    span(safe(level.padEnd(6)), levelStyles[level]),
    span(safe(message)),
    span(own`  ${safe(fields.join(" "))}`, { fg: "grey" }),
  ];
}
