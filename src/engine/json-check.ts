import type { Json } from "../schema/json.ts";

/** What JSON would refuse or silently change in a context or event is a machine's fault, found before anything is written.
 *  @throws TypeError naming the path */
export function assertJson(value: unknown, path: string): asserts value is Json {
  if (value === null || value === undefined) return;
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      throw new TypeError(`${path} is ${value}, which JSON does not hold`);
    case "object":
      assertContainer(value, path);
      return;
    default:
      throw new TypeError(`${path} is a ${typeof value}, which JSON does not hold`);
  }
}

const maxDepth = 200;

function assertContainer(value: object, path: string): void {
  if (path.length > maxDepth * 8)
    throw new TypeError(`${path.slice(0, 80)}… is nested too deep or circular`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) assertJson(value[index], `${path}[]`);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${path} is a ${value.constructor.name}, which JSON does not hold`);
  }
  for (const key of Object.keys(value))
    assertJson((value as Record<string, unknown>)[key], `${path}.${key}`);
}
