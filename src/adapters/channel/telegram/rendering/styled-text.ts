/** Text whose pieces look different. What is read is their texts, joined; how a piece looks never adds a character to it. */

export type Look = {
  readonly quote?: boolean;
  /** The address that a tap opens. */
  readonly link?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** In a block of code: its language, or "". */
  readonly block?: string;
};

export type Piece = { readonly text: string; readonly look: Look };

export function piece(text: string, look: Look = {}): Piece {
  return { text, look };
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** What stands from `from` up to `to`, in UTF-16 units of the text. */
export function slicePieces(pieces: readonly Piece[], from: number, to: number): Piece[] {
  const found: Piece[] = [];
  let start = 0;
  for (const { text, look } of pieces) {
    const end = start + text.length;
    if (end > from && start < to) {
      found.push({ text: text.slice(Math.max(0, from - start), to - start), look });
    }
    if (end >= to) break;
    start = end;
  }
  return found;
}

/** @returns the groups that say anything, one after the other */
export function joinPieces(groups: readonly (readonly Piece[])[], between: Piece): Piece[] {
  const said = groups.filter((group) => group.some(({ text }) => text !== ""));
  return said.flatMap((group, index) => (index === 0 ? group : [between, ...group]));
}

/** Every line but the first begins with `prefix`; lines of code stay as they are. */
export function hangingPieces(pieces: readonly Piece[], prefix: string): Piece[] {
  return pieces.map((each, index) => {
    const { text, look } = each;
    if (look.block !== undefined || !text.includes("\n")) return each;
    const isBeforeCode = pieces[index + 1]?.look.block !== undefined && text.endsWith("\n");
    const lines = isBeforeCode ? text.slice(0, -1) : text;
    const hanging = lines.replaceAll("\n", `\n${prefix}`);
    return { text: isBeforeCode ? `${hanging}\n` : hanging, look };
  });
}
