import { InvalidArgumentError, Option } from "commander";
import { comingTime as timeToCome, isoTime as timeIn } from "../../text/coming-time.ts";

export type Between = { readonly after?: string; readonly before?: string };

export function timeOptions(): readonly Option[] {
  return [
    new Option("--after <time>", "from this time on (ISO 8601)").argParser(isoTime),
    new Option("--before <time>", "before this time (ISO 8601)").argParser(isoTime),
  ];
}

/** A time to come: ISO 8601, or how long from now. @returns what makes it a time when now is known */
export function comingTime(text: string): (now: number) => string {
  known(timeToCome(text, 0), "30m, 2h, 1d, ");
  return (now) => timeToCome(text, now) ?? text;
}

export function isoTime(text: string): string {
  return known(timeIn(text), "");
}

/** @param others the other forms that would have done, for who wrote none of them */
function known(time: string | undefined, others: string): string {
  if (time === undefined)
    throw new InvalidArgumentError(`Write it as ${others}2026-01-31 or 2026-01-31T20:00:00Z.`);
  return time;
}
