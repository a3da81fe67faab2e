import { AgentError } from "../../schema/errors.ts";

/** Vectors that can be compared. libSQL takes any, and one that is not finite or has no length would come before all others.
 *  @throws AgentError `embedder.bad_response` */
export function checkedVectors(
  vectors: readonly Float32Array[],
  expected: { readonly count: number; readonly dimensions: number },
): readonly Float32Array[] {
  if (vectors.length !== expected.count) {
    throw bad(`${vectors.length} vectors for ${expected.count} texts`);
  }
  for (const vector of vectors) {
    if (vector.length !== expected.dimensions) {
      throw bad(`a vector of ${vector.length} numbers in place of ${expected.dimensions}`);
    }
    const square = vector.reduce((sum, value) => sum + value * value, 0);
    if (!Number.isFinite(square)) throw bad("a vector with a number that is none");
    if (square < 1e-12) throw bad("a vector without a length");
  }
  return vectors;
}

function bad(what: string): AgentError {
  return new AgentError("embedder.bad_response", `the embedder gave ${what}`);
}
