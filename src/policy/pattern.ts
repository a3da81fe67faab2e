import { relativePath } from "../schema/relative-path.ts";
import type { Capability } from "../schema/tool.ts";
import { capabilityParts, isPathKind, matchesKind } from "./capability.ts";
import { coversSegments } from "./glob.ts";

/** What patterns say of each other, and which few of them can cover a capability. */

/** However deep a path is, its verdict costs no more lookups than this. */
const mostDirectories = 32;

/** All patterns with which a person's grant can cover this capability: itself, and `dir/**` for each directory that it is in, but
 *  never the whole workspace. A verdict looks up these, however many grants there are. */
export function patternsCovering(capability: Capability): readonly string[] {
  const { kind, resource = "" } = capabilityParts(capability);
  if (!isPathKind(kind)) return [capability];
  const directories = directoriesOf(resource).slice(0, mostDirectories);
  return [capability, ...directories.map((directory) => `${kind}:${directory}/**`)];
}

/** What a person may grant instead of one path: its directory. Undefined where that is the whole workspace, or there is none. */
export function directoryPattern(capability: Capability): string | undefined {
  const patterns = patternsCovering(capability);
  return patterns.length > 1 ? patterns.at(-1) : undefined;
}

/** Outermost first; none for a path that no pattern covers. */
function directoriesOf(path: string): readonly string[] {
  const known = relativePath(path);
  if (!known.ok || known.path !== path || path.includes("*")) return [];
  const { segments } = known;
  return segments.slice(0, -1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** Whether all that `narrow` covers is covered by `wide` too. A yes is certain; what is hard to tell is a no. */
export function coversPattern(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const outer = capabilityParts(wide);
  const inner = capabilityParts(narrow);
  if (!matchesKind(outer.kind, inner.kind)) return false;
  if (outer.resource === undefined || inner.resource === undefined)
    return outer.resource === inner.resource;
  if (!isPathKind(inner.kind)) return coversName(inner.kind, outer.resource, inner.resource);
  const isRooted = outer.resource.startsWith("/");
  return !isRooted && coversSegments(segmentsOf(outer.resource), segmentsOf(inner.resource));
}

function segmentsOf(pattern: string): readonly string[] {
  return pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
}

function coversName(kind: string, wide: string, narrow: string): boolean {
  if (wide === "*" || wide === "**" || wide === narrow) return true;
  const isDomain = kind === "net.fetch" && wide.startsWith("*.");
  if (!isDomain || narrow === "*" || narrow === "**" || narrow !== narrow.toLowerCase())
    return false;
  return narrow.length >= wide.length && narrow.endsWith(wide.slice(1).toLowerCase());
}
