import type { TextPiece } from "../schema/shown/news.ts";

/** A longer text stays two pieces, so that a bounded number of pieces is a bounded number of bytes. */
const longestPiece = 65_536;

/** Two pieces of one text that stand side by side as one; undefined for anything else. */
export function mergeText<N extends { readonly type: string }>(
  older: N | TextPiece,
  newer: N | TextPiece,
): TextPiece | undefined {
  if (!isPiece(older) || !isPiece(newer) || older.source !== newer.source) return undefined;
  const text = older.text + newer.text;
  return text.length > longestPiece ? undefined : { ...older, text };
}

function isPiece(news: { readonly type: string }): news is TextPiece {
  return news.type === "text.delta";
}
