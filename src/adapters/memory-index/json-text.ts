const halfCharacter = /\p{Surrogate}/gu;

/** For SQLite's JSON functions: of the escape that JSON has for half a character (`\ud83d`) they would make what is no UTF-8, which the
 *  driver's process dies of when it is read. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "string" ? each.replaceAll(halfCharacter, "\ufffd") : each,
  );
}
