import { fromBefore, knowing } from "../../policy/origins.ts";
import type { JsonObject } from "../../schema/json.ts";

const halfAnHourMs = 1_800_000;

/** The context of a session of version 1 as that of version 2: it never closed by itself, nothing interrupted its runs, and it
 *  kept the limits and the boundary that each run now gets with its slot. */
export function sessionContextFrom1(context: JsonObject): JsonObject {
  const { limits: _limits, boundary: _boundary, ...rest } = context;
  const run = context["run"] as JsonObject | null;
  const known = run === null ? null : { ...run, interrupted: false };
  return { ...rest, run: known, ttl_ms: halfAnHourMs };
}

/** The context of a session of version 2 as that of version 3: nobody noted where that came from which it holds. */
export function sessionContextFrom2(context: JsonObject): JsonObject {
  return { ...context, ...knowing(fromBefore) };
}

/** The context of a session of version 4 as that of version 5: none was ever compacting. */
export function sessionContextFrom4(context: JsonObject): JsonObject {
  return { ...context, compaction: null };
}
