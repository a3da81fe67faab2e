import { cellsOf } from "../../text/cells.ts";
import { cleanText } from "../../text/clean-text.ts";
import { displayWidth, fit, isPlain, wrap } from "../../text/text-width.ts";
import { wrapWords } from "../../text/wrap-words.ts";

declare const isSafe: unique symbol;

/** Text that can be drawn: one line without anything that a terminal would act upon. Nothing else gets onto the screen. */
export type SafeText = string & { readonly [isSafe]: true };

/** The one way for foreign text onto the screen: as one line, with what would hide, move or draw shown as an escape. */
export function safe(text: string): SafeText {
  return cleanText(text, { multiline: false }) as SafeText;
}

/** The same for text of several lines; tabs become spaces. */
export function safeLines(text: string): SafeText[] {
  const cleaned = cleanText(text, { multiline: true }).replaceAll("\t", "    ");
  return cleaned.split("\n") as SafeText[];
}

/** Our own words, with safe text and numbers in them: own`run ${id} ended`. */
export function own(
  words: TemplateStringsArray,
  ...values: readonly (SafeText | number)[]
): SafeText {
  const { raw } = words;
  let text = raw[0] ?? "";
  for (let at = 0; at < values.length; at += 1) text += `${values[at]}${raw[at + 1]}`;
  return text as SafeText;
}

/** Exactly `width` cells: cut with … where it is longer, filled with spaces where it is shorter. */
export function padded(text: SafeText, width: number): SafeText {
  const cut = fitted(text, width);
  return (cut + " ".repeat(Math.max(0, width - displayWidth(cut)))) as SafeText;
}

/** At most `width` cells, cut with … where it is longer. */
export function fitted(text: SafeText, width: number): SafeText {
  return (width <= 0 ? "" : fit(text, width)) as SafeText;
}

/** The cells from `from` up to `to`; where a wide character is cut in half, a space stands for what is left of it. */
export function between(text: SafeText, from: number, to: number): SafeText {
  if (isPlain(text)) return text.slice(Math.max(0, from), Math.max(0, to)) as SafeText;
  let kept = "";
  let at = 0;
  for (const { source, width } of cellsOf(text)) {
    const end = at + width;
    const inside = Math.min(end, to) - Math.max(at, from);
    if (inside > 0) kept += inside === width ? source : " ".repeat(inside);
    at = end;
    if (at >= to) break;
  }
  return kept as SafeText;
}

/** In lines of at most `width` cells. */
export function wrapped(text: SafeText, width: number): SafeText[] {
  return wrap(text, Math.max(1, width)) as SafeText[];
}

/** The same, broken between words where that goes. */
export function wrappedWords(text: SafeText, width: number): SafeText[] {
  return wrapWords(text, Math.max(1, width)) as SafeText[];
}

export function repeated(character: SafeText, times: number): SafeText {
  return character.repeat(Math.max(0, times)) as SafeText;
}

export function joined(texts: readonly SafeText[], glue: SafeText): SafeText {
  return texts.join(glue) as SafeText;
}
