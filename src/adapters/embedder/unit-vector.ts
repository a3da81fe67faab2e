import { AgentError } from "../../schema/errors.ts";

/** The vector at length 1.
 *  @throws AgentError embedder.bad_response: another number of numbers, one that is none, or nothing that has a direction */
export function toUnitVector(numbers: ArrayLike<number>, dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw notAVector(`has ${numbers.length} numbers where ${dimensions} were expected`);
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) squares += (numbers[at] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length)) throw notAVector("holds something that is no finite number");
  if (length < Number.MIN_VALUE * 2 ** 52) throw notAVector("is all zeros");
  const unit = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) unit[at] = (numbers[at] ?? 0) / length;
  return unit;
}

function notAVector(what: string): AgentError {
  return new AgentError("embedder.bad_response", `A vector of the embedder ${what}.`, {
    hint: "Check embeddings.model and embeddings.dimensions in config/main.yaml.",
  });
}
