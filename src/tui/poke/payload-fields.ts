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
    })),
    read(values) {
      const payload: Record<string, JsonObject[string]> = {};
      for (const [name, property] of properties) {
        const text = values[name] ?? "";
        if (text === "" && !required.has(name)) continue;
        const value = valueOf(text, property);
        if (value === undefined) return own`${safe(name)}: this is no ${aboutOf(property)}`;
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

/** Text stays as it was typed; everything else is JSON. */
function valueOf(text: string, { type }: Property): JsonObject[string] | undefined {
  if (type === "string") return text;
  try {
    return JSON.parse(text) as JsonObject[string];
  } catch {
    return undefined;
  }
}
