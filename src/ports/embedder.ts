/** Turns texts (and images, where it can) into vectors whose closeness is likeness in meaning. */
export type Embedder = {
  /** Names model and dimensions; another id means that vectors cannot be compared. */
  readonly id: string;
  readonly dimensions: number;
  /** How much likeness in meaning should count against likeness in words, from 0 to 1, where nothing else is configured. */
  readonly weight: number;
  readonly accepts: readonly EmbeddingInput["type"][];
  /** Vectors in the order of the inputs, finite, of length 1, `dimensions` long. Any number of inputs; an empty list asks nobody.
   *  Rejects with an AgentError and nothing else: `activity.aborted` (`signal` fired), `embedder.unavailable` (retryable: nobody
   *  answered, or not now), `embedder.refused` (not retryable: the key, the model or an input is refused), `embedder.bad_response`
   *  (not retryable: what came back are no such vectors). */
  embed(
    inputs: readonly EmbeddingInput[],
    options: { readonly for: "document" | "query"; readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
};

export type EmbeddingInput =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly bytes: Uint8Array; readonly media_type: string };
