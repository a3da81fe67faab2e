import type { EmbeddingInput } from "../../ports/embedder.ts";
import { refused } from "./embedder-errors.ts";

/** @throws AgentError embedder.refused: an image, from an embedder that takes none */
export function textsOnly(inputs: readonly EmbeddingInput[]): readonly string[] {
  return inputs.map((input) => {
    if (input.type === "text") return input.text;
    throw refused("This embedder takes texts only, and was given an image.");
  });
}
