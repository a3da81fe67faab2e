/** The one function that makes foreign text safe to show: what would move the cursor, change colours, reverse the reading
 *  direction or stay invisible is shown as an escape. Nothing is dropped, so that what is read is what is there. */

export type CleanOptions = {
  /** Whether line breaks and tabs stay; otherwise they are shown as `\n` and `\t`. */
  readonly multiline: boolean;
};

const emoji = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?`;
const keptSequence = String.raw`${emoji}(?:\u200d${emoji}){0,8}|[0-9#*]\ufe0f\u20e3`;
const unsafe = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}`;
const hasUnsafe = new RegExp(`[${unsafe}]`, "u");
const keptOrUnsafe = new RegExp(`${keptSequence}|[${unsafe}]`, "gu");
const isUnsafe = new RegExp(`^[${unsafe}]$`, "u");

/** Idempotent. The result holds no control or format character but \n and \t (multiline) and the joiners inside an emoji. */
export function cleanText(text: string, { multiline }: CleanOptions): string {
  if (!hasUnsafe.test(text)) return text;
  const lines = multiline ? text.replaceAll("\r\n", "\n") : text;
  return lines.replaceAll(keptOrUnsafe, (found) => {
    const isKept = !isUnsafe.test(found) || (multiline && (found === "\n" || found === "\t"));
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
