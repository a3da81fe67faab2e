import { z } from "zod";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { nearest } from "./nearest.ts";
import { bareShape, choices, expectation, knownKeys, shapeAt } from "./shape.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** One file, read as YAML and not yet judged. */
export type ConfigSource = {
  readonly file: string;
  readonly tree: YamlTree;
  /** False when a part of it could not be read, so that what is not there may only be out of sight. */
  readonly isWhole: boolean;
};

export type ShapeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] };

/** Holds a file against its shape; every difference becomes a fault at its place. An empty file is an empty mapping or list. */
export function checkShape<T>(source: ConfigSource, shape: z.ZodType<T>): ShapeResult<T> {
  const input = source.tree.value ?? (shape instanceof z.ZodArray ? [] : {});
  const result = shape.safeParse(input);
  if (result.success) return { ok: true, value: result.data };
  const context = { source, shape, input };
  const issues = result.error.issues.filter(
    ({ path }) => source.isWhole || path.length > 1 || !isAbsent(context, path),
  );
  return { ok: false, faults: issues.flatMap((issue) => faultsOf(context, issue)) };
}

type Context = {
  readonly source: ConfigSource;
  readonly shape: z.ZodType;
  readonly input: unknown;
};

function faultsOf(context: Context, issue: z.core.$ZodIssue): ConfigFault[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(context, [...issue.path, key]));
  if (issue.code === "invalid_key") return [wrongKey(context, issue)];
  if (issue.code === "invalid_union" && issue.discriminator !== undefined)
    return [wrongVariant(context, issue.path)];
  return [
    isAbsent(context, issue.path) ? missing(context, issue.path) : wrongValue(context, issue),
  ];
}

function unknownKey({ source, shape, input }: Context, path: readonly PropertyKey[]): ConfigFault {
  const known = knownKeys(shape, path.slice(0, -1), input);
  return faultIn(source.file, "unknown key", {
    place: source.tree.keyPlace(path),
    path: [...path.slice(0, -1), tellable(path.at(-1) ?? "")],
    expected: known.length === 0 ? undefined : `one of ${known.join(", ")}`,
    nearest: nearest(String(path.at(-1)), known),
  });
}

/** The key of a record of anybody's names. */
function wrongKey({ source }: Context, issue: z.core.$ZodIssueInvalidKey): ConfigFault {
  return faultIn(source.file, "the key is not in the right form", {
    place: source.tree.keyPlace(issue.path),
    path: [...issue.path.slice(0, -1), tellable(issue.path.at(-1) ?? "")],
    expected: issue.issues[0]?.message,
  });
}

function wrongVariant(context: Context, path: readonly PropertyKey[]): ConfigFault {
  const { source, shape, input } = context;
  const discriminator = String(path.at(-1));
  const union = shapeAt(shape, path.slice(0, -1), input);
  const kinds =
    union instanceof z.ZodDiscriminatedUnion
      ? union.options.flatMap((option) =>
          option instanceof z.ZodObject ? choices(option.shape[discriminator]) : [],
        )
      : [];
  const found = valueAt(context, path);
  return faultIn(source.file, found === undefined ? "is missing" : `found ${shown(found)}`, {
    place: source.tree.valuePlace(path),
    path,
    expected: `one of ${kinds.join(", ")}`,
    nearest: nearest(String(found), kinds),
  });
}

function missing({ source, shape, input }: Context, path: readonly PropertyKey[]): ConfigFault {
  const wanted = shapeAt(shape, path, input);
  return faultIn(source.file, "is missing", {
    place: source.tree.valuePlace(path),
    path,
    expected: wanted === null ? undefined : expectation(wanted),
  });
}

/** A text that fails a format carries the shape's own sentence; the value itself is never repeated, it may be a secret. */
function wrongValue(context: Context, issue: z.core.$ZodIssue): ConfigFault {
  const { source, shape, input } = context;
  const details = { place: source.tree.valuePlace(issue.path), path: issue.path };
  if (issue.code === "invalid_format" || issue.code === "custom") {
    return faultIn(source.file, "not in the right form", {
      ...details,
      expected: issue.message,
    });
  }
  const wanted = shapeAt(shape, issue.path, input);
  if (wanted === null) return faultIn(source.file, issue.message, details);
  const found = valueAt(context, issue.path);
  const isText = bareShape(wanted) instanceof z.ZodString;
  return faultIn(source.file, `found ${isText ? kindOf(found) : shown(found)}`, {
    ...details,
    expected: expectation(wanted),
    nearest: typeof found === "string" ? nearest(found, choices(wanted)) : undefined,
  });
}

function isAbsent(context: Context, path: readonly PropertyKey[]): boolean {
  return valueAt(context, path) === undefined;
}

function valueAt({ input }: Context, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );
}

function shown(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? "a long text" : JSON.stringify(value);
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return typeof value === "string" ? `a text of ${value.length} characters` : `a ${typeof value}`;
}

/** Nobody misspells a setting with digits or at such length: that may be a secret in the wrong place, and its place is enough. */
function tellable(key: PropertyKey): string {
  const text = String(key);
  return /^[A-Za-z_./-]{1,40}$/.test(text) ? text : `(a key of ${text.length} characters)`;
}
