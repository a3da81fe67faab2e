import type { Block } from "./blocks.ts";

/** The blocks of any other text: what stands between empty lines. */
export function* blocksOfPlainText(lines: readonly string[], heading: string): Generator<Block> {
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    if (at < lines.length && lines[at]?.trim() !== "") continue;
    if (from < at) yield { lines: lines.slice(from, at), line: from + 1, heading, origins: [] };
    from = at + 1;
  }
}
