/** Cuts a stream of bytes into lines of UTF-8; a line over the limit is an overflow, and nothing more is read. */
export type LineReaderOptions = {
  readonly maxLineBytes: number;
  onLine(line: string): void;
  onOverflow(): void;
};

const newline = 0x0a;

export function createLineReader({
  maxLineBytes,
  onLine,
  onOverflow,
}: LineReaderOptions): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let held = 0;
  let overflown = false;
  return (chunk) => {
    let start = 0;
    while (!overflown) {
      const end = chunk.indexOf(newline, start);
      const piece = chunk.subarray(start, end < 0 ? undefined : end);
      held += piece.length;
      if (held > maxLineBytes) {
        overflown = true;
        parts = [];
        onOverflow();
        return;
      }
      parts.push(piece);
      if (end < 0) return;
      const line = decoder.decode(joined(parts, held));
      parts = [];
      held = 0;
      start = end + 1;
      if (line.trim() !== "") onLine(line);
    }
  };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
