/** Takes a key out of a foreign text, also where the text holds only a part of it. */

const shortestPart = 4;
const removed = "[key]";

/** Replaces every run of at least 4 characters that the key holds too; a fault's text may quote a key cut short. */
export function withoutKeyParts(text: string, key: string): string {
  if (key.length < shortestPart) return text;
  let clean = "";
  let position = 0;
  while (position < text.length) {
    const length = sharedLength(text, position, key);
    if (length >= shortestPart) clean += removed;
    else clean += text.slice(position, position + 1);
    position += length >= shortestPart ? length : 1;
  }
  return clean;
}

/** The length of the longest piece of the key that the text has at this position. */
function sharedLength(text: string, position: number, key: string): number {
  let length = 0;
  while (
    position + length < text.length &&
    key.includes(text.slice(position, position + length + 1))
  ) {
    length += 1;
  }
  return length;
}
