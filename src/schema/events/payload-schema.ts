import { z } from "zod";
import type { EventSpec } from "./event.ts";
import type { JsonObject } from "../json.ts";

type Payload = EventSpec["payload"];

const schemas = new WeakMap<Payload, { readonly schema: JsonObject | null }>();

/** What an event carries as JSON schema (draft 2020-12), so that a form can be made of it; null for what carries nothing. */
export function payloadSchema(payload: Payload): JsonObject | null {
  const known = schemas.get(payload) ?? { schema: schemaOf(payload) };
  schemas.set(payload, known);
  return known.schema;
}

function schemaOf(payload: Payload): JsonObject | null {
  const { $schema: _draft, ...schema } = z.toJSONSchema(payload, { io: "input" });
  const takesNothing = Object.keys(schema.properties ?? {}).length === 0;
  return takesNothing ? null : (JSON.parse(JSON.stringify(schema)) as JsonObject);
}
