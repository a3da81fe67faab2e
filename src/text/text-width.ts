/** How many columns of a terminal a text takes. */

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const isAscii = /^[\u0020-\u007e]*$/;
const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const combining = /^\p{Mark}+$/u;

export function displayWidth(text: string): number {
  if (isAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

/** Cut to `width` columns, with … where something is missing. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** In lines of at most `width` columns, broken wherever they are full. */
export function wrap(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const needed = widthOf(segment);
    if (used + needed > width) {
      lines.push(line);
      [line, used] = ["", 0];
    }
    line += segment;
    used += needed;
  }
  return [...lines, line];
}

const widestTab = 8;

function widthOf(grapheme: string): number {
  if (grapheme === "\t") return widestTab;
  if (combining.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
