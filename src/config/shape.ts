import { z } from "zod";

/** Questions about a zod shape: which keys has it at a path, what does it expect there. Fault messages and docs ask. */

/** The shape with what is below its defaults and nullables, the bare shape last. */
export function layersOf(shape: z.core.$ZodType): readonly z.core.$ZodType[] {
  const isWrapper =
    shape instanceof z.ZodDefault ||
    shape instanceof z.ZodPrefault ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodOptional;
  return isWrapper ? [shape, ...layersOf(shape.unwrap())] : [shape];
}

export function bareShape(shape: z.core.$ZodType): z.core.$ZodType {
  return layersOf(shape).at(-1) ?? shape;
}

/** The shape that holds at `path`, or null where the shape knows no such path; `value` picks among variants. */
export function shapeAt(
  shape: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): z.core.$ZodType | null {
  const bare = variantFor(bareShape(shape), value);
  const [key, ...rest] = path;
  if (key === undefined) return bare === bareShape(shape) ? shape : bare;
  const inner = innerShape(bare, key);
  return inner === null ? null : shapeAt(inner, rest, childOf(value, key));
}

/** The keys that are known at `path`: of a mapping its own, of a record with fixed keys those. */
export function knownKeys(
  shape: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): string[] {
  const found = shapeAt(shape, path, value);
  const bare = found === null ? null : bareShape(found);
  if (bare instanceof z.ZodObject) return Object.keys(bare.shape);
  if (bare instanceof z.ZodRecord && bare.keyType instanceof z.ZodEnum)
    return bare.keyType.options.map(String);
  return [];
}

/** What the shape expects, in words: `a whole number from 1 to 100`, `one of a, b`. */
export function expectation(shape: z.core.$ZodType): string {
  const orNull = isNullable(shape) ? " or null" : "";
  return `${bareExpectation(bareShape(shape))}${orNull}`;
}

/** The words that `expectation` uses for a list of fixed values. */
export function choices(shape: z.core.$ZodType): string[] {
  const bare = bareShape(shape);
  if (bare instanceof z.ZodEnum) return bare.options.map(String);
  return bare instanceof z.ZodLiteral ? [...bare.values].map(String) : [];
}

function bareExpectation(shape: z.core.$ZodType): string {
  const form = shape instanceof z.ZodType ? shape.meta()?.title : undefined;
  if (form !== undefined) return form;
  const fixed = choices(shape);
  if (fixed.length > 0) return fixed.length === 1 ? `${fixed[0]}` : `one of ${fixed.join(", ")}`;
  if (shape instanceof z.ZodNumber) return numberExpectation(shape);
  if (shape instanceof z.ZodArray) return `a list, each entry ${expectation(shape.element)}`;
  if (isMapping(shape)) return "a mapping";
  if (shape instanceof z.ZodBoolean) return "true or false";
  return shape instanceof z.ZodString ? stringExpectation(shape) : "a value";
}

function isMapping(shape: z.core.$ZodType): boolean {
  return (
    shape instanceof z.ZodObject ||
    shape instanceof z.ZodRecord ||
    shape instanceof z.ZodDiscriminatedUnion
  );
}

function numberExpectation(shape: z.ZodNumber): string {
  const kind = shape.isInt ? "a whole number" : "a number";
  return `${kind} from ${shape.minValue} to ${shape.maxValue}`;
}

function stringExpectation(shape: z.ZodString): string {
  if (shape.maxLength === null) return "text";
  return `text of at most ${shape.maxLength} characters`;
}

function isNullable(shape: z.core.$ZodType): boolean {
  if (shape instanceof z.ZodNullable) return true;
  if (shape instanceof z.ZodDefault || shape instanceof z.ZodPrefault)
    return isNullable(shape.unwrap());
  return false;
}

function innerShape(shape: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | null {
  if (shape instanceof z.ZodObject)
    return Object.hasOwn(shape.shape, key) ? shape.shape[String(key)] : null;
  if (shape instanceof z.ZodArray) return shape.element;
  return shape instanceof z.ZodRecord ? shape.valueType : null;
}

/** The variant of a union that `value` chooses by its discriminator; any other shape as it is. */
export function variantFor(shape: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (!(shape instanceof z.ZodDiscriminatedUnion)) return shape;
  const discriminator = shape.def.discriminator;
  const chosen = childOf(value, discriminator);
  const variants = shape.options.filter((option) => option instanceof z.ZodObject);
  return (
    variants.find((option) => choices(option.shape[discriminator]).includes(String(chosen))) ??
    shape
  );
}

function childOf(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<PropertyKey, unknown>)[key];
}
