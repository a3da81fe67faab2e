/** What is read of an answer: at most `most` bytes after decompression, however much there is. */
export type BoundedBody = { readonly bytes: Uint8Array; readonly isWhole: boolean };

export async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<BoundedBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    const room = most - length;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    length += Math.min(chunk.length, room);
    if (chunk.length > room) return { bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks), isWhole: true };
}
