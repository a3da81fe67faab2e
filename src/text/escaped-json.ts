/** The same JSON, in which nothing moves a terminal or a viewer that it is shown by: C1 controls, line separators and bidi marks,
 *  which JSON leaves as they are, become escapes. */
export function escapedJson(json: string): string {
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, unitEscapes);
}

function unitEscapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
