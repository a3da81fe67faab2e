import type { Trust } from "../schema/contexts/trust.ts";
import type { Capability } from "../schema/tool.ts";
import { manyOthers } from "./origins.ts";

/** What a run that holds foreign text may not send out unseen (docs/decisions/0024-foreign-text.md). */

/** Capabilities whose use stays on this machine and with this agent; what is not known to, counts as leaving it. */
const inward: ReadonlySet<string> = new Set(["fs.read", "fs.write", "memory.read", "skill.read"]);
const inwardWhole: ReadonlySet<string> = new Set(["memory.write:own"]);

const mostShownPrivate = 5;

/** @param isConfined whether a program that is run can reach nothing but the workspace */
export function leaves(capability: Capability, isConfined: boolean): boolean {
  const [kind = ""] = capability.split(":", 1);
  if (kind === "shell.exec") return !isConfined;
  return !inward.has(kind) && !inwardWhole.has(capability);
}

/** Why a call that sends something out is asked about: what strangers wrote could make it send what was read. */
export function taintReason({ private: read, untrusted }: Trust): string | undefined {
  if (read.length === 0 || untrusted.length === 0) return undefined;
  const more = read.length - mostShownPrivate;
  const shown = read.slice(0, mostShownPrivate).join(", ");
  const others = more > 0 ? ` and ${more} more` : "";
  return `The run has read ${shown}${others} and holds text of ${untrusted.join(", ")}, which could make it send that on.`;
}

/** Whether a person who allowed calls like this one saw all the strangers' text that the run holds now. */
export function wasSeen({ untrusted }: Trust, accepted: readonly string[]): boolean {
  return untrusted.every((origin) => origin !== manyOthers && accepted.includes(origin));
}

/** What a person who is asked now has seen; that the call's own answer is foreign text too, the call itself says. */
export function shownOrigins(trust: Trust, brings: Trust): readonly string[] {
  return taintReason(trust) === undefined
    ? []
    : [...new Set([...trust.untrusted, ...brings.untrusted])];
}

/** For every question, whatever it is about: it may be a stranger who wants this. */
export function foreignTextNote({ untrusted }: Trust): string {
  return untrusted.length === 0 ? "" : ` The run holds text of ${untrusted.join(", ")}.`;
}

const mostCarried = 200;
const codeLike = /[A-Za-z0-9+=]{32}/;

/** Why a call is asked about whatever was allowed: it carries more out than an address needs to, from a run that strangers had
 *  a say in. */
export function carriesTooMuch(carried: string, { untrusted }: Trust): string | undefined {
  if (untrusted.length === 0) return undefined;
  const isMuch = carried.length > mostCarried || codeLike.test(carried);
  return isMuch
    ? `It sends out a text of ${carried.length} characters: read all of it.`
    : undefined;
}

/** Why a call is asked about whatever was allowed: what strangers had a say in would count as the agent's own knowledge. */
export function lastsTooLong(isLasting: boolean, { untrusted }: Trust): string | undefined {
  return isLasting && untrusted.length > 0
    ? "It would be remembered for good, as the agent's own knowledge: read all of it."
    : undefined;
}
