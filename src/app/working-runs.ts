import type { Engine } from "../engine/engine.ts";

/** How many runs a stop would have to wait for: those whose model or tools work at this moment. */
export function workingRuns(engine: Pick<Engine, "health">): number {
  const runs = engine.health().busy.map((address) => /^.*?\/run\/[^/]+/.exec(address)?.[0]);
  return new Set(runs.filter((run) => run !== undefined)).size;
}
