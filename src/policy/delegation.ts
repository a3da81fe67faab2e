import type { RiskClass } from "../schema/tool.ts";
import { patternFault } from "./capability.ts";
import { coversPattern } from "./pattern.ts";
import { riskClasses } from "./stricter.ts";
import type { AgentPolicy } from "./verdict.ts";

/** A policy inside another one: for a task, and for whoever works on behalf of somebody else. */

export type Narrowed =
  | { readonly ok: true; readonly policy: AgentPolicy }
  /** What was asked for beyond the parent, in words. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** What is asked for, as long as nothing of it goes beyond the parent's policy; what is not named stays the parent's. Its deny rules
 *  always hold. Only configured grants are handed on: what a person allowed the parent is nobody else's. */
export function narrowed(parent: AgentPolicy, requested: Partial<AgentPolicy>): Narrowed {
  const { allow = parent.allow, boundary = parent.boundary, grant = parent.grant } = requested;
  const faults = [
    ...allow.filter((tool) => !parent.allow.includes(tool)).map(unknownTool),
    ...[...boundary, ...grant, ...(requested.deny ?? [])].flatMap(fault),
    ...boundary.filter((pattern) => !isWithin(parent.boundary, pattern)).map(outside),
    ...grant.filter((pattern) => !isWithin(parent.grant, pattern)).map(ungranted),
    ...Object.entries(requested.risk ?? {}).flatMap((asked) => riskFault(parent, asked)),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const deny = [...new Set([...parent.deny, ...(requested.deny ?? [])])];
  const risk = { ...parent.risk, ...requested.risk };
  return { ok: true, policy: { allow, boundary, grant, deny, risk } };
}

function isWithin(patterns: readonly string[], pattern: string): boolean {
  return patterns.some((wide) => coversPattern(wide, pattern));
}

function fault(pattern: string): string[] {
  const found = patternFault(pattern);
  return found === undefined ? [] : [`${pattern}: ${found}`];
}

const unknownTool = (tool: string) => `${tool} is not in the tool list.`;
const outside = (pattern: string) => `${pattern} is outside the boundary.`;
const ungranted = (pattern: string) => `${pattern} is not granted.`;

/** Where the parent leaves a tool in its own class, which is not known here, only the highest one is certainly no lower. */
function riskFault({ risk }: AgentPolicy, [tool, asked]: [string, RiskClass]): string[] {
  const own = (Object.hasOwn(risk, tool) ? risk[tool] : undefined) ?? "unsafe";
  const isLower = riskClasses.indexOf(asked) < riskClasses.indexOf(own);
  return isLower ? [`${tool} may be ${own} or stay as it is, not ${asked}.`] : [];
}
