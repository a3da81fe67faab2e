import { z } from "zod";
import type { ConfigFault } from "./config-fault.ts";
import { faultIn } from "./config-fault.ts";
import { bareShape, layersOf, variantFor } from "./shape.ts";
import type { ConfigSource } from "./shape-faults.ts";
import type { Path } from "./yaml-tree.ts";

/** What somebody has set and this version does not act on: said, so that nobody relies on it. */

/** @param value what the shape made of the file */
export function notYetWarnings(
  source: ConfigSource,
  shape: z.core.$ZodType,
  value: unknown,
): ConfigFault[] {
  return settingsWithoutEffect(shape, value, []).map(({ path, work }) =>
    faultIn(source.file, `this version does not ${work} yet; the setting has no effect`, {
      place: source.tree.keyPlace(path),
      path,
    }),
  );
}

/** What completes "this version does not … yet" for this value; undefined where the shape makes no such reservation. */
export function notYetWork(shape: z.core.$ZodType, value: unknown): string | undefined {
  for (const layer of layersOf(shape)) {
    const mark = layer instanceof z.ZodType ? layer.meta()?.notYet : undefined;
    if (mark !== undefined) return typeof mark === "string" ? mark : mark(value);
  }
  return undefined;
}

type Setting = { readonly path: Path; readonly work: string };

function settingsWithoutEffect(shape: z.core.$ZodType, value: unknown, path: Path): Setting[] {
  if (isSame(value, defaultOf(shape))) return [];
  const work = notYetWork(shape, value);
  if (work !== undefined) return [{ path, work }];
  const bare = variantFor(bareShape(shape), value);
  if (bare instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry, index) =>
      settingsWithoutEffect(bare.element, entry, [...path, index]),
    );
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const inner = [...path, key];
    if (bare instanceof z.ZodObject) {
      const keyShape = bare.shape[key];
      return keyShape === undefined ? [] : settingsWithoutEffect(keyShape, entry, inner);
    }
    if (!(bare instanceof z.ZodRecord)) return [];
    const ofKey = notYetWork(bare.keyType, key);
    return ofKey === undefined
      ? settingsWithoutEffect(bare.valueType, entry, inner)
      : [{ path: inner, work: ofKey }];
  });
}

function defaultOf(shape: z.core.$ZodType): unknown {
  return shape instanceof z.ZodType ? shape.safeParse(undefined).data : undefined;
}

/** Both come out of the same shape, so that their keys stand in the same order. */
function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}
