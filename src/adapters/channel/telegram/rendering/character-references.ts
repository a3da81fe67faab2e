const reference = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{2,8});/g;
const named: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
  ["ndash", "–"],
  ["mdash", "—"],
  ["hellip", "…"],
  ["copy", "©"],
  ["reg", "®"],
  ["trade", "™"],
  ["deg", "°"],
  ["times", "×"],
  ["euro", "€"],
  ["larr", "←"],
  ["rarr", "→"],
]);
const lastCodePoint = 0x10ffff;

/** `&amp;` is `&`; a name that is seldom used stays as it is written. */
export function withoutReferences(text: string): string {
  return text.replaceAll(reference, (written: string, name: string) => {
    if (!name.startsWith("#")) return named.get(name) ?? written;
    const digits = name.slice(1);
    const code = Number(/^[xX]/.test(digits) ? `0${digits}` : digits);
    return code > lastCodePoint ? written : String.fromCodePoint(code);
  });
}
