import type { Clock } from "../../ports/clock.ts";
import type { Log, LogLevel } from "../../ports/log.ts";
import type { JsonObject } from "../../schema/json.ts";

/** One JSON object a line: `{ time, level, message, fields? }`. */

export type JsonLogOptions = {
  /** Is given one record with its line break at the end. */
  readonly write: (line: string) => void;
  /** Removes known secrets; `createRedactor(…).json` is one. */
  readonly redact: <T>(value: T) => T;
  /** The least important level that is still written. */
  readonly level: LogLevel;
  readonly clock: Pick<Clock, "now">;
};

const importance: { readonly [level in LogLevel]: number } = {
  debug: 0,
  info: 1,
  warn: 2,
  error: 3,
};

export const silentLog: Log = () => undefined;

export function createJsonLog({ write, redact, level: least, clock }: JsonLogOptions): Log {
  return (level, message, fields) => {
    if (importance[level] < importance[least]) return;
    const time = new Date(clock.now()).toISOString();
    const record = fields === undefined ? { message } : { message, fields };
    write(`${oneLine({ time, level, ...redact(record) })}\n`);
  };
}

type LogRecord = {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: JsonObject;
};

/** JSON leaves C1 controls, line separators and bidi marks as they are; a terminal or a viewer would obey them. */
function oneLine(record: LogRecord): string {
  return stringified(record).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, unitEscapes);
}

function stringified(record: LogRecord): string {
  try {
    return JSON.stringify(record);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.name : typeof thrown;
    return JSON.stringify({ ...record, fields: { unwritable: reason } });
  }
}

function unitEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
