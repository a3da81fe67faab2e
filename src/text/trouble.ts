/** Why a provider is not asked again at once, in a few words; another code stands for itself. */
export function troubleOf(code: string): string {
  return words[code] ?? code;
}

const words: Readonly<Record<string, string>> = {
  "model.bad_response": "its answer broke off",
  "model.overloaded": "overloaded",
  "model.rate_limited": "rate limited",
  "model.timeout": "no answer in time",
  "model.unreachable": "not reachable",
};
