/** What a text costs a model, roughly: four letters of ours a token, or a character and a third of other scripts. */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at += 1) {
    quarters += quartersOf(text.charCodeAt(at));
  }
  return Math.ceil(quarters / 4);
}

/** Quarters of a token, of one UTF-16 unit. */
export function quartersOf(code: number): number {
  return code < 0x0250 ? 1 : 3;
}
