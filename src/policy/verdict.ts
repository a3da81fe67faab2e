import type { Grant } from "../schema/permission-rows.ts";
import type { Capability, RiskClass } from "../schema/tool.ts";
import { capabilityFault, exactPattern, matchesCapability, needsPin } from "./capability.ts";
import { differsInFiles } from "./pin.ts";
import { anyShellText } from "./shell-command.ts";

/** What an agent's configuration says about its tools; all but `allow` and `risk` are capability patterns. */
export type AgentPolicy = {
  readonly allow: readonly string[];
  readonly boundary: readonly string[];
  readonly grant: readonly string[];
  readonly deny: readonly string[];
  readonly risk: Readonly<Record<string, RiskClass>>;
};

/** A live grant: its owner and its time were checked by whoever read it. */
export type LiveGrant = Pick<Grant, "tool" | "capability" | "effect" | "pin" | "accepted">;

export type VerdictInput = {
  readonly tool: { readonly name: string; readonly risk: RiskClass };
  readonly capabilities: readonly Capability[];
  readonly agent: AgentPolicy;
  readonly grants: readonly LiveGrant[];
  /** What a grant of a person must have been given for. */
  readonly pin?: string | undefined;
  /** The reason to ask where a grant was given for other content of the same files. */
  readonly changed?: string | undefined;
  /** Why a person is offered nothing beyond this call. */
  readonly onlyThisCall?: string | undefined;
  /** Why a person is asked whatever the class and the grants say. */
  readonly mustAsk?: string | undefined;
};

/** `granted` is what the call may use as things stand; `proposed_grants` is what a person could grant beyond this call. */
export type Verdict = {
  readonly verdict: "run" | "ask" | "deny";
  readonly risk: RiskClass;
  readonly reason: string;
  readonly requested: readonly Capability[];
  readonly granted: readonly Capability[];
  readonly proposed_grants: readonly string[];
};

function isCovered(capability: Capability, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesCapability(pattern, capability));
}

function riskOf({ tool, agent }: VerdictInput): RiskClass {
  return (Object.hasOwn(agent.risk, tool.name) ? agent.risk[tool.name] : undefined) ?? tool.risk;
}

function refusal({ tool, capabilities, agent }: VerdictInput): string | undefined {
  const denied = capabilities.find((capability) => isCovered(capability, agent.deny));
  if (denied !== undefined) return `A deny rule of the agent covers ${denied}.`;
  if (!agent.allow.includes(tool.name)) return `The agent's tool list does not have ${tool.name}.`;
  const outside = capabilities.find((capability) => !isCovered(capability, agent.boundary));
  if (outside === undefined) return undefined;
  return capabilityFault(outside) ?? `${outside} is outside the agent's boundary.`;
}

/** Whether neither a deny rule nor the boundary forbids it, for the parts of a call that is allowed as a whole. */
export function isPermissible(
  agent: Pick<AgentPolicy, "boundary" | "deny">,
  capability: Capability,
): boolean {
  return !isCovered(capability, agent.deny) && isCovered(capability, agent.boundary);
}

function proposals(missing: readonly Capability[], { pin }: VerdictInput): readonly string[] {
  const exact = missing
    .filter((capability) => pin !== undefined || !needsPin(capability))
    .map(exactPattern)
    .filter((pattern) => pattern !== undefined);
  return exact.length === missing.length ? exact : [];
}

function covers(grant: LiveGrant, capability: Capability, { pin }: VerdictInput): boolean {
  const isPinned = grant.pin === null ? !needsPin(capability) : grant.pin === pin;
  return isPinned && matchesCapability(grant.capability, capability);
}

function guardedVerdict(
  input: VerdictInput,
): Pick<Verdict, "verdict" | "reason" | "granted" | "proposed_grants"> {
  const { capabilities, agent, tool } = input;
  const live = input.grants.filter((grant) => grant.effect === "allow" && grant.tool === tool.name);
  const isGranted = (capability: Capability) =>
    isCovered(capability, agent.grant) || live.some((grant) => covers(grant, capability, input));
  const granted = capabilities.filter(isGranted);
  const missing = capabilities.filter((capability) => !isGranted(capability));
  if (granted.length > 0 && missing.length === 0) {
    return { verdict: "run", reason: "Every capability is granted.", granted, proposed_grants: [] };
  }
  const proposed_grants = proposals(missing, input);
  return { verdict: "ask", reason: whyAsked(missing, live, input), granted, proposed_grants };
}

function whyAsked(
  missing: readonly Capability[],
  live: readonly LiveGrant[],
  { pin = "", changed, onlyThisCall }: VerdictInput,
): string {
  if (missing.length === 0) return "A guarded tool that names no capability is asked about.";
  const wasAllowed = live.some(
    (grant) =>
      differsInFiles(grant.pin ?? "", pin) &&
      missing.some((capability) => matchesCapability(grant.capability, capability)),
  );
  if (wasAllowed && changed !== undefined) return changed;
  return onlyThisCall === undefined
    ? "Not granted yet."
    : `Not granted, and only this call can be: ${onlyThisCall}.`;
}

/** Shell text can be anything, so that no class and no grant lets it run unasked. */
function classOf(input: VerdictInput): RiskClass {
  return input.mustAsk !== undefined || input.capabilities.includes(anyShellText)
    ? "unsafe"
    : riskOf(input);
}

function whyEachTime(input: VerdictInput): string {
  return riskOf(input) === "unsafe" || input.onlyThisCall === undefined
    ? "An unsafe tool is asked about each time."
    : `It is asked about each time: ${input.onlyThisCall}.`;
}

/** Whether a tool call may run, in the order: deny rule, tool list, boundary, risk class. */
export function verdict(input: VerdictInput): Verdict {
  const requested = [...input.capabilities];
  const risk = classOf(input);
  const reason = refusal(input);
  if (reason !== undefined)
    return { verdict: "deny", risk, reason, requested, granted: [], proposed_grants: [] };
  switch (risk) {
    case "safe":
      return {
        verdict: "run",
        risk,
        reason: "The tool is safe.",
        requested,
        granted: requested,
        proposed_grants: [],
      };
    case "guarded":
      return { risk, requested, ...guardedVerdict(input) };
    case "unsafe":
      return {
        verdict: "ask",
        risk,
        reason: input.mustAsk ?? whyEachTime(input),
        requested,
        granted: [],
        proposed_grants: [],
      };
  }
}
