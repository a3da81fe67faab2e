const comment = /<!-- ((?:\d{4}-\d{2}-\d{2} )?\d{2}:\d{2})((?: [^\s<>]+)*) -->$/;

/** Who is named in the comments at an entry's end (see entries.ts), and the entry without them. A person may have gone on writing
 *  below one: then it stands at the end of another line. */
export function takeProvenance(lines: readonly string[]): {
  readonly kept: readonly string[];
  readonly origins: readonly string[];
  /** As the first of them says; null: there is none. */
  readonly at: string | null;
} {
  const origins = new Set<string>();
  let at: string | null = null;
  const kept = lines.map((line) => {
    if (!line.trimEnd().endsWith("-->")) return line;
    const text = line.trimEnd();
    const begin = text.lastIndexOf("<!--");
    const found = begin === -1 ? null : comment.exec(text.slice(begin));
    if (found === null) return line;
    at ??= found[1] ?? null;
    for (const origin of (found[2] ?? "").split(" "))
      if (origin !== "") origins.add(decoded(origin));
    return text.slice(0, begin).trimEnd();
  });
  return { kept, origins: [...origins], at };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
