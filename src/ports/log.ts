import type { JsonObject } from "../schema/json.ts";
import type { LogLevel } from "../schema/shown/log-record.ts";

export type { LogLevel } from "../schema/shown/log-record.ts";

/** Structured log; `fields` must not hold secrets, the adapter redacts those it knows all the same. */
export type Log = (level: LogLevel, message: string, fields?: JsonObject) => void;
