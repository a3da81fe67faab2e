import { cleanText } from "../../text/clean-text.ts";

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
  return String.raw({ raw: words }, ...values) as SafeText;
}
