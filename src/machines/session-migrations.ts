import type { JsonObject } from "../schema/json.ts";

const halfAnHourMs = 1_800_000;

/** The context of a session of version 1 as that of version 2: it never closed by itself, and nothing interrupted its runs. */
export function sessionContextFrom1(context: JsonObject): JsonObject {
  const run = context["run"] as JsonObject | null;
  const known = run === null ? null : { ...run, interrupted: false };
  return { ...context, run: known, ttl_ms: halfAnHourMs };
}
