/** Text as libSQL keeps it whole: the driver cuts text at NUL and replaces lone surrogates, so both are written as
 *  DLE and four hexadecimal digits, and so is DLE itself. Other text is stored as it is. */

const escape = "\u0010";
const loneSurrogate = /^\p{Surrogate}$/u;
const someLoneSurrogate = /\p{Surrogate}/u;

export function storedText(text: string): string {
  if (!text.includes("\0") && !text.includes(escape) && !someLoneSurrogate.test(text)) return text;
  return Array.from(text, storedCharacter).join("");
}

export function readText(stored: string): string {
  if (!stored.includes(escape)) return stored;
  const [start = "", ...escaped] = stored.split(escape);
  const rest = escaped.map(
    (part) => String.fromCharCode(parseInt(part.slice(0, 4), 16)) + part.slice(4),
  );
  return start + rest.join("");
}

function storedCharacter(character: string): string {
  if (character !== "\0" && character !== escape && !loneSurrogate.test(character))
    return character;
  return escape + character.charCodeAt(0).toString(16).padStart(4, "0");
}
