import type { Lookup } from "../../engine/engine.ts";

/** The memories that have something to consolidate. */
export const partitionsToConsolidate: Lookup = () => [
  { to: "self", event: { type: "partitions.found", partitions: [] } },
];
