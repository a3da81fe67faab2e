import { relativePath } from "../schema/relative-path.ts";
import type { Capability } from "../schema/tool.ts";
import { matchesSegments } from "./glob.ts";

/** A capability is `kind` or `kind:resource`; so is a pattern of capabilities, with wildcards in it (docs/tools.md). */

type Parts = { readonly kind: string; readonly resource: string | undefined };

const kindPattern = /^[a-z]+(\.[A-Za-z0-9_-]+|\.\*)+$/;

/** A capability, or a pattern of some, as kind and resource. */
export function capabilityParts(text: string): Parts {
  const colon = text.indexOf(":");
  if (colon < 0) return { kind: text, resource: undefined };
  return { kind: text.slice(0, colon), resource: text.slice(colon + 1) };
}

export function isPathKind(kind: string): boolean {
  return kind.startsWith("fs.");
}

/** The capability for a path in its normal form. A path that no file can have stays as it is: no pattern covers it. */
export function pathCapability(kind: "fs.read" | "fs.write", path: string): Capability {
  const normal = relativePath(path);
  return `${kind}:${normal.ok ? normal.path : path}`;
}

/** Why no pattern can cover this capability, for people; undefined for a sound one. */
export function capabilityFault(capability: Capability): string | undefined {
  const { kind, resource } = capabilityParts(capability);
  if (!isPathKind(kind)) return undefined;
  const path = resource ?? "";
  const normal = relativePath(path);
  if (!normal.ok) return normal.message;
  return normal.path === path ? undefined : `${path} is not in its normal form, ${normal.path}.`;
}

/** A part of a pattern's kind may be `*`. */
export function matchesKind(pattern: string, kind: string): boolean {
  const wanted = pattern.split(".");
  const given = kind.split(".");
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part === "*" || part === given[index])
  );
}

function matchesPath(pattern: string, path: string): boolean {
  const asked = relativePath(path);
  if (!asked.ok || asked.path !== path || pattern.startsWith("/")) return false;
  const wanted = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  return matchesSegments(wanted, asked.segments);
}

function matchesName(kind: string, pattern: string, name: string): boolean {
  if (pattern === "*" || pattern === "**" || pattern === name) return true;
  return kind === "net.fetch" && matchesHost(pattern.toLowerCase(), name);
}

/** Names of hosts have no case: a rule that was written in capitals holds too. */
function matchesHost(pattern: string, name: string): boolean {
  if (!pattern.startsWith("*.")) return pattern === name;
  return name.length >= pattern.length && name.endsWith(pattern.slice(1));
}

/** Whether a pattern covers one capability. Paths match by segment (`*` within one, `**` across, `notes/**` also `notes`);
 *  hosts by name or `*.domain`; everything else is `*` or exact. A part of a kind may be `*`: `mcp.files.*`. */
export function matchesCapability(pattern: string, capability: Capability): boolean {
  const wanted = capabilityParts(pattern);
  const asked = capabilityParts(capability);
  if (!matchesKind(wanted.kind, asked.kind)) return false;
  if (wanted.resource === undefined || asked.resource === undefined)
    return wanted.resource === asked.resource;
  if (isPathKind(asked.kind)) return matchesPath(wanted.resource, asked.resource);
  return matchesName(asked.kind, wanted.resource, asked.resource);
}

/** The pattern that covers this capability and no other, for a person to grant; undefined where its own text would read as a
 *  wildcard. */
export function exactPattern(capability: Capability): string | undefined {
  const isUnfit = capability.includes("*") || capabilityFault(capability) !== undefined;
  return isUnfit ? undefined : capability;
}

/** Whether a capability says so little of what will happen that a person's grant of it must name more: a pin (pin.ts). */
export function needsPin(capability: Capability): boolean {
  return capabilityParts(capability).kind === "shell.exec";
}

/** What is wrong with a pattern that a person wrote, so that a rule that can never match does not pass in silence. */
export function patternFault(pattern: string): string | undefined {
  const { kind, resource } = capabilityParts(pattern);
  if (!kindPattern.test(kind))
    return `${kind} is no kind of capability; kinds look like fs.read or net.fetch.`;
  if (resource === "") return "Nothing stands after the colon; use * for everything.";
  if (!isPathKind(kind)) return undefined;
  const path = relativePath(resource ?? "");
  if (!path.ok) return path.message;
  return resource?.split("/").includes("..") === true
    ? "A pattern may not contain `..`."
    : undefined;
}
