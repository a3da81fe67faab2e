import type { NewMemory } from "../../schema/memory.ts";
import { formatEntry, parseEntries, sameness } from "./entries.ts";

export type Appending = {
  /** Stands first in a new file. */
  readonly heading: string;
  readonly entries: readonly NewMemory[];
  /** As the entries' comments say it. */
  readonly at: string;
};

/** What the file holds with these entries at its end; what it says already is not said again. The same text: there is nothing new. */
export function withEntries(text: string | null, { heading, entries, at }: Appending): string {
  const said = new Set(parseEntries(text ?? "").map((entry) => sameness(entry.text)));
  const added: string[] = [];
  for (const entry of entries) {
    const same = sameness(entry.text);
    if (said.has(same)) continue;
    said.add(same);
    added.push(formatEntry(entry, at));
  }
  if (added.length === 0) return text ?? "";
  const before = text === null || text.trim() === "" ? `# ${heading}\n\n` : ended(text);
  const whole = `${before}${added.join("\n")}\n`;
  return text?.includes("\r\n") === true ? whole.replaceAll(/\r?\n/g, "\r\n") : whole;
}

/** Ends with a line break, and with a blank line where the last line belongs to no entry. */
function ended(text: string): string {
  const trimmed = text.trimEnd();
  const lines = trimmed.split(/\r?\n/).length;
  const last = parseEntries(trimmed).at(-1);
  return last?.line_end === lines ? `${trimmed}\n` : `${trimmed}\n\n`;
}
