const prefix = "Denied: ";

/** A verdict's reason to refuse, for those who hear `permission.denied` with it. */
export function refusalText(reason: string): string {
  if (!reason.startsWith(prefix)) return reason;
  const text = reason.slice(prefix.length);
  return /^(?:the|a) /.test(text) ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}
