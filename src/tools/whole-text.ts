import { visibleText } from "../policy/visible-text.ts";
import type { Files } from "../ports/files.ts";
import { AgentError } from "../schema/errors.ts";
import { looksBinary } from "./looks-binary.ts";

/** A text file in one piece, for tools that must see all of it. */

export type TextRead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too_large" | "binary" };

/** Text is UTF-8 without NUL; a byte order mark is kept as its first character. */
export async function readText(files: Files, path: string, maxBytes: number): Promise<TextRead> {
  const { bytes, size } = await files.read(path, { maxBytes });
  if (size > maxBytes || bytes.length < size) return { kind: "too_large" };
  if (looksBinary(bytes)) return { kind: "binary" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? { kind: "binary" } : { kind: "text", text };
  } catch {
    return { kind: "binary" };
  }
}

/** @throws AgentError file.binary, file.refused, and what the files refuse */
export async function requireText(files: Files, path: string, maxBytes: number): Promise<string> {
  const read = await readText(files, path, maxBytes);
  const shown = visibleText(path);
  switch (read.kind) {
    case "text":
      return read.text;
    case "binary":
      throw new AgentError("file.binary", `${shown} is not a text file in UTF-8.`);
    case "too_large":
      throw new AgentError("file.refused", `${shown} is larger than ${maxBytes} bytes.`);
  }
}
