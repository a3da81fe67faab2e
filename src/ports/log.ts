import type { JsonObject } from "../schema/json.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Structured log; `fields` must not hold secrets, the adapter redacts those it knows all the same. */
export type Log = (level: LogLevel, message: string, fields?: JsonObject) => void;
