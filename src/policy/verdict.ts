import { noTrust, type Trust } from "../schema/contexts.ts";
import type { Grant } from "../schema/permission-rows.ts";
import type { Capability, RiskClass } from "../schema/tool.ts";
import { capabilityFault, exactPattern, matchesCapability, needsPin } from "./capability.ts";
import { differsInFiles } from "./pin.ts";
import { anyShellText } from "./shell-command.ts";
import { foreignTextNote, leaves, taintReason, wasSeen } from "./taint.ts";

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
  /** What the run knows, and from whom; nothing unless told. */
  readonly trust?: Trust | undefined;
  /** Whether programs reach nothing but the workspace; they do not unless told. */
  readonly isConfined?: boolean | undefined;
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

/** Why it may send out what the person does not want sent; what was allowed without sight of that does not count then. */
function taintOf({ capabilities, trust = noTrust, isConfined = false }: VerdictInput) {
  const isOutward = capabilities.some((capability) => leaves(capability, isConfined));
  return isOutward ? taintReason(trust) : undefined;
}

function covers(grant: LiveGrant, capability: Capability, { pin }: VerdictInput): boolean {
  const isPinned = grant.pin === null ? !needsPin(capability) : grant.pin === pin;
  return isPinned && matchesCapability(grant.capability, capability);
}

function guardedVerdict(
  input: VerdictInput,
  taint: string | undefined,
): Pick<Verdict, "verdict" | "reason" | "granted" | "proposed_grants"> {
  const { capabilities, agent, tool, trust = noTrust, isConfined = false } = input;
  const live = input.grants.filter((grant) => grant.effect === "allow" && grant.tool === tool.name);
  const isGranted = (capability: Capability) => {
    const isSent = taint !== undefined && leaves(capability, isConfined);
    const counting = isSent ? live.filter(({ accepted }) => wasSeen(trust, accepted)) : live;
    if (counting.some((grant) => covers(grant, capability, input))) return true;
    return !isSent && isCovered(capability, agent.grant);
  };
  const granted = capabilities.filter(isGranted);
  const missing = capabilities.filter((capability) => !granted.includes(capability));
  if (granted.length > 0 && missing.length === 0) {
    return { verdict: "run", reason: "Every capability is granted.", granted, proposed_grants: [] };
  }
  const proposed_grants = proposals(missing, input);
  const why = whyAsked(missing, live, input);
  const reason = taint ?? `${why}${foreignTextNote(trust)}`;
  return { verdict: "ask", reason, granted, proposed_grants };
}

function whyAsked(
  missing: readonly Capability[],
  live: readonly LiveGrant[],
  { pin = "", changed, onlyThisCall }: VerdictInput,
): string {
  if (missing.length === 0) return "A guarded tool that names no capability is asked about.";
  const isForOtherFiles = (grant: LiveGrant) =>
    grant.pin !== null &&
    differsInFiles(grant.pin, pin) &&
    missing.some((capability) => matchesCapability(grant.capability, capability));
  if (changed !== undefined && live.some(isForOtherFiles)) return changed;
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

const raised = { safe: "guarded", guarded: "unsafe", unsafe: "unsafe" } as const;

/** Whether a tool call may run, in the order: deny rule, tool list, boundary, risk class, which taint raises by one; a tool
 *  that it makes unsafe can still be granted, in sight of the taint. */
export function verdict(input: VerdictInput): Verdict {
  const requested = [...input.capabilities];
  const taint = taintOf(input);
  const ownRisk = classOf(input);
  const risk = taint === undefined ? ownRisk : raised[ownRisk];
  const reason = refusal(input);
  if (reason !== undefined)
    return { verdict: "deny", risk, reason, requested, granted: [], proposed_grants: [] };
  if (ownRisk === "unsafe") {
    const why = input.mustAsk ?? whyEachTime(input);
    const note = taint === undefined ? foreignTextNote(input.trust ?? noTrust) : ` ${taint}`;
    return {
      verdict: "ask",
      risk,
      reason: `${why}${note}`,
      requested,
      granted: [],
      proposed_grants: [],
    };
  }
  if (risk !== "safe") return { risk, requested, ...guardedVerdict(input, taint) };
  return {
    verdict: "run",
    risk,
    reason: "The tool is safe.",
    requested,
    granted: requested,
    proposed_grants: [],
  };
}
