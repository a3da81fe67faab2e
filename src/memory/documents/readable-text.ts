/** Whether decoded bytes were text: no NUL, and hardly a character that could not be decoded. */
export function isReadableText(text: string): boolean {
  if (text.includes("\0")) return false;
  let broken = 0;
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) {
    broken += 1;
  }
  return broken * 10 <= text.length;
}
