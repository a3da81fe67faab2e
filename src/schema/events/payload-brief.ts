import type { JsonObject } from "../json.ts";

/** What an event carries, in a few characters: `{text, queue?}`, or nothing at all.
 *  @param schema as `payloadSchema` gives it */
export function payloadBrief(schema: JsonObject | null): string {
  if (schema === null) return "";
  const { properties = {}, required = [] } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties ?? {});
  return `{${names.map((name) => (needed.includes(name) ? name : `${name}?`)).join(", ")}}`;
}
