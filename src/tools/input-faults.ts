import type { z } from "zod";
import { visibleText } from "../policy/visible-text.ts";

const maxFaults = 5;
const maxKeyCharacters = 80;

function quoted(key: string): string {
  return `"${visibleText(key.slice(0, maxKeyCharacters))}"`;
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the input" : path.map(String).join(".");
}

type SizeFault = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

const countedIn: Readonly<Record<string, string>> = { string: "character", array: "entry" };

function plural(count: number | bigint, one: string): string {
  if (count === 1) return `${count} ${one}`;
  return `${count} ${one === "entry" ? "entries" : `${one}s`}`;
}

function describeSize(issue: SizeFault): string {
  const { origin } = issue;
  const [bound, limit] =
    issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
  const unit = countedIn[origin];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  if (issue.code === "too_small" && limit === 1) return "must not be empty";
  return `must have ${bound} ${plural(limit, unit)}`;
}

function describeFault(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const field = fieldOf(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.slice(0, maxFaults).map(quoted).join(", ");
    return `unknown property ${keys}; known are ${known.join(", ")}`;
  }
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return `${field} is missing`;
  if (issue.code === "too_small" || issue.code === "too_big")
    return `${field} ${describeSize(issue)}`;
  return `${field}: ${issue.message.replace(/^Invalid input: /, "")}`;
}

/** One sentence that names each faulty field, for a model to mend its call. @param known the tool's properties */
export function describeFaults(
  issues: readonly z.core.$ZodIssue[],
  known: readonly string[],
): string {
  return `${issues
    .slice(0, maxFaults)
    .map((issue) => describeFault(issue, known))
    .join("; ")}.`;
}
