/** `offline/rules`, or with what it is and how to get a better one. */
export function whoAnswers(model: string): string {
  return isOffline(model) ? `${model}, the built-in offline model` : model;
}

/** Empty where a real model answers. */
export function offlineAdvice(model: string): string {
  if (!isOffline(model)) return "";
  return "It needs no key and no network, and understands only a few plain requests. For Claude: set ANTHROPIC_API_KEY, then `statehive restart`.";
}

function isOffline(model: string): boolean {
  return model.startsWith("offline/");
}
