/** Text as libSQL keeps it whole: the driver cuts text at NUL and replaces lone surrogates, so both are written as
 *  DLE and four hexadecimal digits, and so is DLE itself. Other text is stored as it is. */

const escape = "\u0010";
const unsafe = /[\0\u0010\p{Surrogate}]/u;
const everyUnsafe = new RegExp(unsafe, "gu");
const everyEscaped = /\u0010([0-9a-f]{4})/g;

export function storedText(text: string): string {
  return unsafe.test(text) ? text.replace(everyUnsafe, escaped) : text;
}

export function readText(stored: string): string {
  return stored.includes(escape)
    ? stored.replace(everyEscaped, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    : stored;
}

function escaped(unit: string): string {
  return escape + unit.charCodeAt(0).toString(16).padStart(4, "0");
}
