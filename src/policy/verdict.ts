import { noTrust, type Trust } from "../schema/contexts/trust.ts";
import type { Grant } from "../schema/rows/permission-rows.ts";
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
export type LiveGrant = Pick<
  Grant,
  "tool" | "capability" | "effect" | "pin" | "accepted" | "scope" | "approval_id"
> & {
  /** What the person said with a no. */
  readonly said?: string;
};

export type VerdictInput = {
  readonly tool: { readonly name: string; readonly risk: RiskClass };
  readonly capabilities: readonly Capability[];
  readonly agent: AgentPolicy;
  /** What the task may at most do, where that is known. */
  readonly taskBoundary?: readonly string[] | undefined;
  readonly grants: readonly LiveGrant[];
  /** What a grant of a person must have been given for. */
  readonly pin?: string | undefined;
  /** What to say where a grant was given for other content of the same files: "a.py has changed since". */
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

function coveringPattern(capability: Capability, patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => matchesCapability(pattern, capability));
}

function riskOf({ tool, agent }: VerdictInput): RiskClass {
  return (Object.hasOwn(agent.risk, tool.name) ? agent.risk[tool.name] : undefined) ?? tool.risk;
}

function refusal(input: VerdictInput): string | undefined {
  return (
    deniedByRule(input) ?? missingTool(input) ?? outsideBoundary(input) ?? deniedByPerson(input)
  );
}

function deniedByRule({ capabilities, agent }: VerdictInput): string | undefined {
  for (const capability of capabilities) {
    const rule = coveringPattern(capability, agent.deny);
    if (rule !== undefined) return `the deny rule ${rule} of the agent covers ${capability}.`;
  }
  return undefined;
}

function missingTool({ tool, agent }: VerdictInput): string | undefined {
  return agent.allow.includes(tool.name)
    ? undefined
    : `the agent's tool list does not have ${tool.name}.`;
}

function outsideBoundary({ capabilities, agent, taskBoundary }: VerdictInput): string | undefined {
  const levels = [
    { name: "agent", boundary: agent.boundary },
    ...(taskBoundary === undefined ? [] : [{ name: "task", boundary: taskBoundary }]),
  ];
  for (const { name, boundary } of levels) {
    const outside = capabilities.find((asked) => coveringPattern(asked, boundary) === undefined);
    if (outside !== undefined)
      return capabilityFault(outside) ?? `${outside} is outside the ${name}'s boundary.`;
  }
  return undefined;
}

function isAbout(grant: LiveGrant, effect: Grant["effect"], { tool }: VerdictInput): boolean {
  return grant.effect === effect && grant.tool === tool.name;
}

/** A person's no is about calls that need exactly the same. */
function deniedByPerson(input: VerdictInput): string | undefined {
  const denials = input.grants.filter(
    (grant) => isAbout(grant, "deny", input) && (grant.pin === null || grant.pin === input.pin),
  );
  const [first, ...others] = input.capabilities.map((needed) =>
    denials.find(({ capability }) => capability === needed),
  );
  if (first === undefined || others.includes(undefined)) return undefined;
  const why = first.said === undefined ? "." : `: ${first.said}`;
  return `a person denied this for the ${first.scope} (${first.approval_id})${why}`;
}

/** Whether neither a deny rule nor the boundary forbids it, for the parts of a call that is allowed as a whole. */
export function isPermissible(
  agent: Pick<AgentPolicy, "boundary" | "deny">,
  capability: Capability,
): boolean {
  const isDenied = coveringPattern(capability, agent.deny) !== undefined;
  return !isDenied && coveringPattern(capability, agent.boundary) !== undefined;
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
  const { capabilities, trust = noTrust } = input;
  const sources = capabilities.map((capability) => sourceOf(capability, input, taint));
  const granted = capabilities.filter((_, index) => sources[index] !== undefined);
  const missing = capabilities.filter((_, index) => sources[index] === undefined);
  if (granted.length > 0 && missing.length === 0) {
    const reason = `Guarded; granted by ${[...new Set(sources)].join(" and ")}.`;
    return { verdict: "run", reason, granted, proposed_grants: [] };
  }
  const proposed_grants = proposals(missing, input);
  const reason = taint ?? `${whyAsked(missing, input)}${foreignTextNote(trust)}`;
  return { verdict: "ask", reason, granted, proposed_grants };
}

function whyAsked(missing: readonly Capability[], input: VerdictInput): string {
  const { grants, pin = "", changed, onlyThisCall } = input;
  if (missing.length === 0) return "Guarded; it names no capability that could be granted; asks.";
  const isForOtherFiles = (grant: LiveGrant) =>
    isAbout(grant, "allow", input) &&
    grant.pin !== null &&
    differsInFiles(grant.pin, pin) &&
    missing.some((capability) => matchesCapability(grant.capability, capability));
  if (changed !== undefined && grants.some(isForOtherFiles)) return `Guarded; ${changed}; asks.`;
  const limit =
    onlyThisCall === undefined ? "" : ` only this call can be allowed: ${onlyThisCall};`;
  return `Guarded; no grant covers ${missing.join(", ")};${limit} asks.`;
}

/** The grant that covers it, in words. Where foreign text stands beside private data, what leaves needs that of a person who saw
 *  all of it. */
function sourceOf(
  capability: Capability,
  input: VerdictInput,
  taint: string | undefined,
): string | undefined {
  const { agent, grants, trust = noTrust, isConfined = false } = input;
  const isSent = taint !== undefined && leaves(capability, isConfined);
  const configured = isSent ? undefined : coveringPattern(capability, agent.grant);
  if (configured !== undefined) return `${configured} of the agent`;
  const given = grants.find(
    (grant) =>
      isAbout(grant, "allow", input) &&
      (!isSent || wasSeen(trust, grant.accepted)) &&
      covers(grant, capability, input),
  );
  if (given === undefined) return undefined;
  return `${given.capability} of a person for the ${given.scope} (${given.approval_id})`;
}

/** Shell text can be anything, so that no class and no grant lets it run unasked. */
function classOf(input: VerdictInput): RiskClass {
  return input.mustAsk !== undefined || input.capabilities.includes(anyShellText)
    ? "unsafe"
    : riskOf(input);
}

function whyEachTime(input: VerdictInput): string {
  return riskOf(input) === "unsafe" || input.onlyThisCall === undefined
    ? "Unsafe; asks each time."
    : `Unsafe, as ${input.onlyThisCall}; asks each time.`;
}

const raised = { safe: "guarded", guarded: "unsafe", unsafe: "unsafe" } as const;

/** Whether a tool call may run, in the order: deny rule, tool list, boundaries, a person's no, risk class, which taint raises by
 *  one; a tool that it makes unsafe can still be granted, in sight of the taint. */
export function verdict(input: VerdictInput): Verdict {
  const requested = [...input.capabilities];
  const taint = taintOf(input);
  const ownRisk = classOf(input);
  const risk = taint === undefined ? ownRisk : raised[ownRisk];
  const refused = refusal(input);
  if (refused !== undefined) {
    const reason = `Denied: ${refused}`;
    return { verdict: "deny", risk, reason, requested, granted: [], proposed_grants: [] };
  }
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
    reason: "Safe; runs.",
    requested,
    granted: requested,
    proposed_grants: [],
  };
}
