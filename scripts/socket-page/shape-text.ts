import { z } from "zod";
import { baseOf, namedShapes, shapeName } from "./named-shapes.ts";

/** Shapes in words: what a field takes or gives, as the cells of a table. */

/** A JSON schema in which a named shape is only its name. */
export type Schema = z.core.JSONSchema.BaseSchema & {
  readonly "x-name"?: string;
  readonly "x-base"?: string;
};

/** @param io what is sent (defaults may be left out), or what comes back */
export function schemaOf(shape: z.core.$ZodType, io: "input" | "output"): Schema {
  return z.toJSONSchema(shape, {
    io,
    override: ({ zodSchema, jsonSchema, path }) => {
      const name = path.length === 0 ? undefined : shapeName(zodSchema);
      if (name === undefined) return leaveBaseOut(zodSchema, jsonSchema);
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      const isOfPlace = description !== namedShapes[name]?.description;
      Object.assign(jsonSchema, { "x-name": name }, isOfPlace ? { description } : {});
    },
  });
}

/** The fields of a named shape are told with that. */
function leaveBaseOut(shape: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema): void {
  const base = baseOf(shape);
  if (base === undefined) return;
  const [name, fields] = base;
  for (const field of fields) delete schema.properties?.[field];
  Object.assign(schema, { "x-base": name });
}

export function linkTo(name: string): string {
  return `[${name}](#${name.replaceAll(" ", "-")})`;
}

export function typeWords(schema: Schema): string {
  const { "x-name": name, $ref, "const": fixed, "enum": choices, type } = schema;
  const variants = schema.anyOf ?? schema.oneOf;
  if (name !== undefined) return linkTo(name);
  if ($ref !== undefined) return "JSON";
  if (fixed !== undefined) return `\`${JSON.stringify(fixed)}\``;
  if (choices !== undefined) return choices.map((one) => `\`${String(one)}\``).join(", ");
  if (variants !== undefined) return variantWords(variants);
  if (Array.isArray(type)) return variantWords(type.map((one) => ({ ...schema, type: one })));
  return words[type ?? ""]?.(schema) ?? "JSON";
}

const words: { readonly [type: string]: (schema: Schema) => string } = {
  string: textWords,
  integer: (schema) => `whole number${rangeOf(schema)}`,
  number: (schema) => `number${rangeOf(schema)}`,
  boolean: () => "true or false",
  array: (schema) => `list of ${typeWords(itemsOf(schema))}${atMost(schema.maxItems, "entries")}`,
  object: objectWords,
  null: () => "null",
};

function variantWords(variants: readonly Schema[]): string {
  return [...new Set(variants.map(typeWords))].join(" or ");
}

function textWords({ format, maxLength, minLength = 0 }: Schema): string {
  if (format === "date-time") return "time";
  const least = minLength > 0 ? ", not empty" : "";
  return `text${least}${atMost(maxLength, "characters")}`;
}

function atMost(most: number | undefined, what: string): string {
  return most === undefined ? "" : `, at most ${most.toLocaleString("en")} ${what}`;
}

function rangeOf({ minimum, maximum }: Schema): string {
  return [...boundText("from", minimum), ...boundText("to", maximum)].join("");
}

function boundText(word: string, bound: number | undefined): string[] {
  const says = bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return says ? [` ${word} ${bound.toLocaleString("en")}`] : [];
}

function objectWords({
  properties,
  "additionalProperties": values,
  "x-base": base,
}: Schema): string {
  if (base !== undefined) return `${linkTo(base)}, and more`;
  if (properties !== undefined) return "object";
  if (typeof values !== "object" || values.$ref !== undefined) return "JSON object";
  return `object, each value a ${typeWords(values)}`;
}

function itemsOf({ items }: Schema): Schema {
  return typeof items === "object" && !Array.isArray(items) ? items : {};
}

export type Field = {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly standard: unknown;
  readonly meaning: string;
};

/** Each field of an object, and those of the objects within it that have no name of their own. */
export function fieldsOf(schema: Schema, outer = ""): Field[] {
  const required = new Set(schema.required);
  return Object.entries((schema.properties ?? {}) as { readonly [name: string]: Schema }).flatMap(
    ([name, inner]) => {
      const path = `${outer}${name}`;
      const field = {
        path,
        type: typeWords(inner),
        isRequired: required.has(name),
        standard: inner.default,
        meaning: inner.description ?? "",
      };
      return [field, ...fieldsWithin(inner, path)];
    },
  );
}

function fieldsWithin(schema: Schema, path: string): Field[] {
  if (schema["x-name"] !== undefined) return [];
  if (schema.type === "array") return fieldsWithin(itemsOf(schema), `${path}[]`);
  const variants = schema.anyOf ?? [];
  const whole = variants.find(({ type }) => type === "object" || type === "array");
  if (whole !== undefined) return fieldsWithin(whole, path);
  return fieldsOf(schema, `${path}.`);
}

/** The variants of a union; of anything else, itself. */
export function variantsOf(schema: Schema): readonly Schema[] {
  return schema.oneOf ?? schema.anyOf ?? [schema];
}
