import { TextDecoder } from "node:util";

/** Text of bytes whose encoding the server, the page's head or nobody names. */

const headBytes = 2_048;
const charsetInHead = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([a-z0-9_:-]{1,40})/i;

export function decodeText(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*"?([^\s;"]{1,40})/i.exec(contentType)?.[1] ?? charsetOf(bytes);
  return decoderFor(named).decode(bytes);
}

function charsetOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes));
  return charsetInHead.exec(head.toString("latin1"))?.[1];
}

/** An encoding that nobody knows is read as UTF-8. */
function decoderFor(name = "utf-8"): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}
