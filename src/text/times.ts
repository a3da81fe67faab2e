/** Times as people read them: `12s`, `3m`, `5h`, `2d`. */

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

export function age(iso: string | null, now: number): string {
  if (iso === null) return "-";
  return duration(Math.max(0, now - Date.parse(iso)));
}

export function until(iso: string, now: number): string {
  const left = Math.max(0, Date.parse(iso) - now);
  const [, size] = unitOf(left);
  return duration(Math.ceil(left / size) * size);
}

export function duration(ms: number): string {
  const [unit, size] = unitOf(ms);
  return `${Math.floor(ms / size)}${unit}`;
}

/** How long something took, where parts of a second matter: `69ms`, `3.2s`, `2m`. */
export function took(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  return ms < 60_000 ? `${(Math.floor(ms / 100) / 10).toFixed(1)}s` : duration(ms);
}

function unitOf(ms: number): readonly [unit: string, size: number] {
  return units.find(([, size]) => ms >= size) ?? ["s", 1000];
}

/** `2026-01-05 20:41:02` in UTC. */
export function moment(iso: string): string {
  return iso.slice(0, 19).replace("T", " ");
}
