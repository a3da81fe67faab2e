/** When a server wants to be asked again, in ms from now. */
export function parseRetryAfter(headers: Headers | undefined, now: number): number | undefined {
  const inMs = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (Number.isFinite(inMs)) return Math.max(0, Math.ceil(inMs));
  const value = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
