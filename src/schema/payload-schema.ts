import { z } from "zod";
import { eventRegistry } from "./events.ts";
import type { JsonObject } from "./json.ts";

/** What an event carries, as JSON schema (draft 2020-12), so that a form can be made of it; null for what carries nothing. */
export function payloadSchema(type: string): JsonObject | null {
  if (!Object.hasOwn(eventRegistry, type)) return null;
  const known = schemas.get(type) ?? schemaOf(type);
  schemas.set(type, known);
  return known;
}

const schemas = new Map<string, JsonObject | null>();

function schemaOf(type: string): JsonObject | null {
  const shape = eventRegistry[type]?.payload;
  if (shape === undefined) return null;
  const schema = z.toJSONSchema(shape, { io: "input", target: "draft-2020-12" });
  const takesNothing = Object.keys(schema.properties ?? {}).length === 0;
  return takesNothing ? null : (JSON.parse(JSON.stringify(schema)) as JsonObject);
}
