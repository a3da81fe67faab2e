import { InvalidArgumentError, Option } from "commander";

export type Between = { readonly after?: string; readonly before?: string };

export function timeOptions(): readonly Option[] {
  return [
    new Option("--after <time>", "from this time on (ISO 8601)").argParser(isoTime),
    new Option("--before <time>", "before this time (ISO 8601)").argParser(isoTime),
  ];
}

export function isoTime(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError("Write it as 2026-01-31 or 2026-01-31T20:00:00Z.");
  return new Date(time).toISOString();
}
