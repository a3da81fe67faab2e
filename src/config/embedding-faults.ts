import { defaultEmbeddingModel, knownDimensions } from "../schema/config/config-embeddings.ts";
import { type ConfigFault, faultIn } from "./config-fault.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { textAt, valueAt } from "./source-values.ts";

/** Whether the length of the vectors is known: an index is made for one length. */
export function embeddingFaults(main: ConfigSource): ConfigFault[] {
  const isAsked = textAt(main, ["embeddings", "provider"]) === "openai";
  const model = textAt(main, ["embeddings", "model"]) ?? defaultEmbeddingModel;
  const path = ["embeddings", "dimensions"];
  const isGiven = (valueAt(main, path) ?? null) !== null;
  if (!isAsked || isGiven || knownDimensions.has(model)) return [];
  return [
    faultIn(main.file, `is missing, and how long the vectors of ${model} are is not known here`, {
      place: main.tree.valuePlace(["embeddings"]),
      path,
      expected: "the numbers in one vector of that model",
    }),
  ];
}
