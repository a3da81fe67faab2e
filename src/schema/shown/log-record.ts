import { z } from "zod";
import { isoTime } from "./shown.ts";

/** One line of the service's log, and what can be asked of it. */

/** From the least important on. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logRecord = z
  .looseObject({
    time: isoTime,
    level: z.enum(logLevels),
    message: z.string(),
  })
  .describe(
    "Other fields stand beside these; among them, where they are known, `trace_id`, `run_id`, `session_id` and `agent_id`.",
  );

export type LogRecord = z.output<typeof logRecord>;

const id = z.string().min(1).max(512).optional();
const time = z.iso.datetime({ offset: true }).optional();

export const logFilterShape = {
  trace: id,
  run: id,
  session: id,
  agent: id,
  level: z.enum(logLevels).optional().describe("The least important one."),
  after: time,
  before: time,
} as const;

export type LogFilter = z.output<z.ZodObject<typeof logFilterShape>>;
