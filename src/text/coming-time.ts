const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time as people write one: `30m`, `2h`, `1d` from now on, or ISO 8601. @returns ISO 8601 in UTC; undefined for what is none */
export function comingTime(text: string, now: number): string | undefined {
  const [, count = "", unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined)
    return new Date(now + Number(count) * unitMs[unit as keyof typeof unitMs]).toISOString();
  return isoTime(text);
}

/** @returns undefined for what is no date of ISO 8601 */
export function isoTime(text: string): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
