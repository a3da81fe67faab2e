import { unseen } from "./unseen.ts";

/** The one function that makes foreign text safe to show: what would move the cursor, change colours, reverse the reading
 *  direction or stay invisible is shown as an escape. Nothing is dropped, so that what is read is what is there. */

export type CleanOptions = {
  /** Whether line breaks and tabs stay; otherwise they are shown as `\n` and `\t`. */
  readonly multiline: boolean;
};

const emoji = String.raw`(?!\p{Cn})\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?`;
const keptSequence = String.raw`${emoji}(?:\u200d${emoji}){0,8}|[0-9#*]\ufe0f\u20e3`;
const hasUnseen = new RegExp(`[${unseen}]`, "u");
const keptOrUnseen = new RegExp(`${keptSequence}|[${unseen}]`, "gu");
const isUnseen = new RegExp(`^[${unseen}]$`, "u");

/** Idempotent. The result holds no control or format character but \n and \t (multiline) and the joiners inside an emoji. */
export function cleanText(text: string, { multiline }: CleanOptions): string {
  if (!hasUnseen.test(text)) return text;
  const lines = multiline ? text.replaceAll("\r\n", "\n") : text;
  return lines.replaceAll(keptOrUnseen, (found) => {
    const isKept = !isUnseen.test(found) || (multiline && (found === "\n" || found === "\t"));
    return isKept ? found : escaped(found);
  });
}

const named: ReadonlyMap<string, string> = new Map([
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
]);

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xff) return `\\u{${code.toString(16)}}`;
  return named.get(character) ?? `\\x${code.toString(16).padStart(2, "0")}`;
}
