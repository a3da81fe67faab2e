export type BatchLimits = {
  readonly mostTexts: number;
  readonly mostChars: number;
};

/** Neighbours together, as many as fit; a text that is too long for any batch is one of its own. */
export function* batchesOf(
  texts: readonly string[],
  { mostTexts, mostChars }: BatchLimits,
): Generator<readonly string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const text of texts) {
    if (batch.length === mostTexts || (batch.length > 0 && chars + text.length > mostChars)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(text);
    chars += text.length;
  }
  if (batch.length > 0) yield batch;
}
