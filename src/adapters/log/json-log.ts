import { type DestinationStream, pino } from "pino";
import type { Clock } from "../../ports/clock.ts";
import type { Log, LogLevel } from "../../ports/log.ts";
import type { JsonObject } from "../../schema/json.ts";
import { escapedJson } from "../../text/escaped-json.ts";

/** One JSON object a line: `{ level, time, …fields, message }`. */

export type JsonLogOptions = {
  /** Is given one record with its line break at the end. */
  readonly write: (line: string) => void;
  /** Removes known secrets; `createRedactor(…).json` is one. */
  readonly redact: <T>(value: T) => T;
  /** The least important level that is still written. */
  readonly level: LogLevel;
  readonly clock: Pick<Clock, "now">;
};

export const silentLog: Log = () => undefined;

export function createJsonLog({ write, redact, level: least, clock }: JsonLogOptions): Log {
  const destination: DestinationStream = {
    write: (line) => write(`${escapedJson(line.trimEnd())}\n`),
  };
  const logger = pino(
    {
      level: least,
      base: null,
      messageKey: "message",
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
    },
    destination,
  );
  return (level, message, fields = {}) => {
    if (!logger.isLevelEnabled(level)) return;
    const record = redact({ message, fields: renamed(fields) });
    logger[level](record.fields, record.message);
  };
}

const ours: ReadonlySet<string> = new Set(["level", "time", "message"]);

/** A field can not stand in for what the log itself says: `level` becomes `_level`. */
function renamed(fields: JsonObject): JsonObject {
  if (!Object.keys(fields).some((key) => ours.has(key))) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [ours.has(key) ? `_${key}` : key, value]),
  );
}
