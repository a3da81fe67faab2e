/** Whether a text says no more than what memory itself has said: what was recalled is never stored as new. */

/** Words that add nothing to a fact. */
const fillers: ReadonlySet<string> = new Set(
  "a an the that this note notes remember remembered reminder fact memory recalled recall also please user".split(
    " ",
  ),
);

/** Of what was known, at least this much must be in the text: a short phrase that happens to stand in a long one is new. */
const leastShare = 0.5;

/** @param known pieces of memory that the run was shown */
export function isKnownAlready(text: string, known: Iterable<string>): boolean {
  const said = gistOf(text);
  if (said === "") return false;
  for (const piece of known) {
    if (linesOf(piece).some((line) => saysAllOf(gistOf(line), said))) return true;
  }
  return false;
}

/** A piece as a whole, and each of its lines. */
function linesOf(piece: string): readonly string[] {
  const lines = piece.split("\n");
  return lines.length === 1 ? lines : [piece, ...lines];
}

/** In the same order, without a word between: `not` makes another fact. */
function saysAllOf(known: string, said: string): boolean {
  return ` ${known} `.includes(` ${said} `) && said.length >= known.length * leastShare;
}

function gistOf(text: string): string {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !fillers.has(word)).join(" ");
}
