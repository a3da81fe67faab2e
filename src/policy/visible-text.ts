import { unseen } from "../text/unseen.ts";

const hidden = new RegExp(`[${unseen}]`, "gu");

/** One line in which every character is seen: those that would hide, move or reorder text become `\u{1b}`. It is what a person
 *  approves, so nothing is shortened: `\n` is what somebody wrote, `\u{a}` is a line break. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
