/** Control, format (bidi, zero width, tags), separator, unassigned and other characters that do not show as themselves. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;

/** One line in which every character is seen: those that would hide, move or reorder text become `\u{1b}`. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
