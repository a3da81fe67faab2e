/** The measures of the text in a chart. A monospaced font makes them the same everywhere. */

export const sizes = { font: 12, line: 16, padding: 12, longestLine: 34 } as const;

const characterWidth = 7.3;

export function textWidth(lines: readonly string[]): number {
  return characterWidth * Math.max(0, ...lines.map((line) => line.length));
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Fit for the text and the attributes of XML, which has no control characters at all. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "")
    .replaceAll(/[^\P{Cc}\n]/gu, "\u{fffd}");
}
