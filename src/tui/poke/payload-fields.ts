import { z } from "zod";
import type { JsonObject } from "../../schema/json.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Field } from "../overlays/question-overlay.ts";

/** The fields of an event's payload, from its JSON schema, and the payload from what was typed into them. */

type Property = {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly description?: unknown;
};

export type PayloadForm = {
  readonly fields: readonly Field[];
  /** @returns the payload, or what is wrong with one of the values */
  read(values: { readonly [name: string]: string }): JsonObject | SafeText;
};

/** @param schema null where the event carries nothing */
export function payloadForm(schema: JsonObject | null): PayloadForm {
  const properties = Object.entries((schema?.["properties"] ?? {}) as { [name: string]: Property });
  const required = new Set((schema?.["required"] ?? []) as string[]);
  return {
    fields: properties.map(([name, property]) => ({
      name,
      label: safe(name),
      about: own`${aboutOf(property)}${required.has(name) ? own`` : own` (may stay empty)`}`,
      multiline: !Array.isArray(property.enum),
    })),
    read(values) {
      const payload: Record<string, JsonObject[string]> = {};
      for (const [name, property] of properties) {
        const text = values[name] ?? "";
        if (text === "" && !required.has(name)) continue;
        const value = valueOf(text, property);
        if (value === undefined) return own`${safe(name)}: this is no ${aboutOf(property)}`;
        const fault = faultOf(value, property);
        if (fault !== undefined) return own`${safe(name)}: ${fault}`;
        payload[name] = value;
      }
      return payload;
    },
  };
}

function aboutOf({ type, enum: choices, description }: Property): SafeText {
  if (Array.isArray(choices)) return own`one of: ${safe(choices.join(", "))}`;
  const kind = typeof type === "string" ? type : "JSON";
  const article = kind === "string" ? own`text` : safe(kind);
  return typeof description === "string" ? own`${article}: ${safe(description)}` : article;
}

/** What its schema has against it; where the schema cannot be used here, the service alone judges. */
function faultOf(value: JsonObject[string], property: Property): SafeText | undefined {
  const { enum: choices } = property;
  if (Array.isArray(choices))
    return choices.includes(value) ? undefined : own`this is not ${aboutOf(property)}`;
  const checked = shapeOf(property)?.safeParse(value);
  return checked?.error === undefined ? undefined : safe(checked.error.issues[0]?.message ?? "");
}

function shapeOf(property: Property): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(property as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}

/** Text stays as it was typed; everything else is JSON. */
function valueOf(text: string, { type }: Property): JsonObject[string] | undefined {
  if (type === "string") return text;
  try {
    return JSON.parse(text) as JsonObject[string];
  } catch {
    return undefined;
  }
}
