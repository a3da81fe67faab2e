import { AgentError } from "../../schema/errors.ts";

/** What JSON would refuse or silently change is a fault of the machine or activity it comes from, found before anything
 *  is written. A property that is undefined counts as absent.
 *  @throws AgentError internal, naming the path */
export function assertJson(value: unknown, name: string): void {
  const fault = jsonFault(value, name);
  if (fault !== undefined) throw new AgentError("internal", fault);
}

export function jsonFault(value: unknown, name: string): string | undefined {
  if (isJson(value, 0)) return undefined;
  return `${faultIn(value, name, 0)}, which JSON does not hold`;
}

const maxDepth = 200;

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || (depth < maxDepth && isJsonContainer(value, depth));
    default:
      return false;
  }
}

function isJsonContainer(value: object, depth: number): boolean {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) if (!isJson(value[at], depth + 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined && !isJson(inner, depth + 1)) return false;
  }
  return true;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function faultIn(value: unknown, path: string, depth: number): string {
  if (depth >= maxDepth) return `${path.slice(0, 80)}… is nested too deep or circular`;
  if (typeof value !== "object" || value === null) {
    return `${path} is ${typeof value === "number" ? value : `a ${typeof value}`}`;
  }
  if (!Array.isArray(value) && !isPlain(value)) return `${path} is a ${value.constructor.name}`;
  const isArray = Array.isArray(value);
  const entries = isArray ? [...value.entries()] : Object.entries(value);
  const fault = entries.find(
    ([, inner]) => (isArray || inner !== undefined) && !isJson(inner, depth + 1),
  );
  return fault === undefined ? path : faultIn(fault[1], `${path}.${fault[0]}`, depth + 1);
}
