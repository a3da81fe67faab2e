import { InvalidArgumentError, Option } from "commander";

/** Which rows of the audit trail are wanted. */

const exact = ["trace", "task", "run", "step", "session", "agent", "tool", "status"] as const;
const names = [...exact, "after", "before"] as const;

export type AuditFilter = { readonly [name in (typeof names)[number]]?: string };

export const auditFilterOptions: readonly Option[] = [
  ...exact.map((name) => new Option(`--${name} <value>`, `only of this ${name}`)),
  new Option("--after <time>", "from this time on (ISO 8601)").argParser(isoTime),
  new Option("--before <time>", "before this time (ISO 8601)").argParser(isoTime),
];

/** Without what was not given. */
export function auditFilterOf(options: AuditFilter): AuditFilter {
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
}

function isoTime(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError("Write it as 2026-01-31 or 2026-01-31T20:00:00Z.");
  return new Date(time).toISOString();
}
