import type { Lookup } from "../../engine/engine.ts";
import { memoryFileTable } from "../../schema/rows/memory-rows.ts";

/** The memories that there are; what is there to do in each of them, its consolidation finds out. */
export const partitionsToConsolidate: Lookup = (read) => {
  const files = read.select(memoryFileTable, { index: "key" });
  const partitions = [...new Set(files.map(({ partition }) => partition))].toSorted();
  return [{ to: "self", event: { type: "partitions.found", partitions } }];
};
