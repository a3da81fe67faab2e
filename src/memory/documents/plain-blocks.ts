import type { Block } from "./blocks.ts";
import { takeProvenance } from "../entries/take-provenance.ts";

/** The blocks of any other text: what stands between empty lines. Entries have no ends there: whoever is named in it, as in a file of
 *  notes that somebody renamed, is named for all of it. */
export function* blocksOfPlainText(found: readonly string[], heading: string): Generator<Block> {
  const { kept: lines, origins } = takeProvenance(found);
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    if (at < lines.length && lines[at]?.trim() !== "") continue;
    if (from < at) yield { lines: lines.slice(from, at), line: from + 1, heading, origins };
    from = at + 1;
  }
}
