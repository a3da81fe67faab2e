import { InvalidArgumentError, Option } from "commander";

export type Between = { readonly after?: string; readonly before?: string };

export function timeOptions(): readonly Option[] {
  return [
    new Option("--after <time>", "from this time on (ISO 8601)").argParser(isoTime),
    new Option("--before <time>", "before this time (ISO 8601)").argParser(isoTime),
  ];
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time to come: ISO 8601, or how long from now. @returns what makes it a time when now is known */
export function comingTime(text: string): (now: number) => string {
  const [, count = "", unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) {
    const time = timeIn(text, "30m, 2h, 1d, ");
    return () => time;
  }
  const ms = Number(count) * unitMs[unit as keyof typeof unitMs];
  return (now) => new Date(now + ms).toISOString();
}

export function isoTime(text: string): string {
  return timeIn(text, "");
}

/** @param others the other forms that would have done, for who wrote none of them */
function timeIn(text: string, others: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError(`Write it as ${others}2026-01-31 or 2026-01-31T20:00:00Z.`);
  return new Date(time).toISOString();
}
