import { Option } from "commander";
import { timeOptions } from "./time-option.ts";

/** Which rows of the audit trail are wanted. */

const exact = ["trace", "task", "run", "step", "session", "agent", "tool", "status"] as const;
const names = [...exact, "after", "before"] as const;

export type AuditFilter = { readonly [name in (typeof names)[number]]?: string };

export const auditFilterOptions: readonly Option[] = [
  ...exact.map((name) => new Option(`--${name} <value>`, `only of this ${name}${examples(name)}`)),
  ...timeOptions(),
];

function examples(name: (typeof exact)[number]): string {
  return name === "status"
    ? ": allowed, approved, denied, expired, cancelled or revoked; done, failed or outcome_unknown; accepted or refused"
    : "";
}

/** Without what was not given. */
export function auditFilterOf(options: AuditFilter): AuditFilter {
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
}
