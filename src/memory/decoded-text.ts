/** Which files are texts, by name and by contents. */

const textEndings = new Set(["", "md", "markdown", "txt", "text", "org", "rst"]);

/** Such a file is kept in versions and found by what it says; any other by what is said of it. */
export function isNamedAsText(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return textEndings.has(dot <= 0 ? "" : name.slice(dot + 1).toLowerCase());
}

/** Undefined: there are no contents, they are not UTF-8, or hold what no text holds. A byte order mark stays. */
export function decodedText(content: Uint8Array | null | undefined): string | undefined {
  if (content === null || content === undefined || content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** All that it may say to whoever opens it. What is no text to us may be one to them, in the encoding of another editor. */
export function readingsOf(content: Uint8Array | null | undefined): readonly string[] {
  if (content === null || content === undefined) return [];
  const text = decodedText(content);
  if (text !== undefined) return [text];
  return ["utf-8", "windows-1252", "utf-16le"].map((encoding) =>
    new TextDecoder(encoding).decode(content),
  );
}
