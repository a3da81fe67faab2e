const comment = /<!-- (?:\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}((?: [^\s<>]+)*) -->$/;

/** Who is named in the comments at an entry's end (see entries.ts), and the entry without them. A person may have gone on writing
 *  below one: then it stands at the end of another line. */
export function takeProvenance(lines: readonly string[]): {
  readonly kept: readonly string[];
  readonly origins: readonly string[];
} {
  const origins = new Set<string>();
  const kept = lines.map((line) => {
    if (!line.trimEnd().endsWith("-->")) return line;
    const text = line.trimEnd();
    const at = text.lastIndexOf("<!--");
    const found = at === -1 ? null : comment.exec(text.slice(at));
    if (found === null) return line;
    for (const origin of (found[1] ?? "").split(" ")) if (origin !== "") origins.add(origin);
    return text.slice(0, at).trimEnd();
  });
  return { kept, origins: [...origins] };
}
