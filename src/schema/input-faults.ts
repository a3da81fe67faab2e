import type { z } from "zod";

/** What is wrong with an input, in words for whoever has to mend it. */

const maxFaults = 5;
const maxKeyCharacters = 80;

export type Wanted = {
  /** What the input is called: `the input`. */
  readonly whole: string;
  /** The properties that there are; not said where it is left out. */
  readonly known?: readonly string[];
  /** Makes a foreign key fit to be shown. */
  readonly quote?: (key: string) => string;
};

/** One sentence that names each faulty field. */
export function describeFaults(issues: readonly z.core.$ZodIssue[], wanted: Wanted): string {
  const faults = issues.slice(0, maxFaults).map((issue) => describeFault(issue, wanted));
  return `${faults.join("; ")}.`;
}

function describeFault(issue: z.core.$ZodIssue, { whole, known, quote }: Wanted): string {
  const field = issue.path.length === 0 ? whole : issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.slice(0, maxFaults).map((key) => quoted(key, quote));
    return `unknown property ${keys.join(", ")}${knownText(known)}`;
  }
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return `${field} is missing`;
  if (issue.code === "too_small" || issue.code === "too_big")
    return `${field} ${describeSize(issue)}`;
  return `${field}: ${issue.message.replace(/^Invalid (input|option): /, "")}`;
}

function quoted(key: string, quote: Wanted["quote"]): string {
  const start = key.slice(0, maxKeyCharacters);
  return quote === undefined ? JSON.stringify(start) : `"${quote(start)}"`;
}

function knownText(known: readonly string[] | undefined): string {
  if (known === undefined) return "";
  return known.length === 0 ? "; it takes none" : `; known are ${known.join(", ")}`;
}

type SizeFault = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

const countedIn: Readonly<Record<string, string>> = { string: "character", array: "entry" };

function describeSize(issue: SizeFault): string {
  const { origin } = issue;
  const [bound, limit] =
    issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
  const unit = countedIn[origin];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  if (issue.code === "too_small" && limit === 1) return "must not be empty";
  return `must have ${bound} ${plural(limit, unit)}`;
}

function plural(count: number | bigint, one: string): string {
  if (count === 1) return `${count} ${one}`;
  return `${count} ${one === "entry" ? "entries" : `${one}s`}`;
}
