import type { Json } from "../schema/json.ts";
import type { ConfigSource } from "./shape-faults.ts";
import type { Path } from "./yaml-tree.ts";

/** Single values of a file as it was written, whether or not the file as a whole has its shape. */

export function valueAt(source: ConfigSource, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, key) => childOf(value, String(key)),
    source.tree.value,
  );
}

export function textAt(source: ConfigSource, path: Path): string | null {
  const found = valueAt(source, path);
  return typeof found === "string" ? found : null;
}

/** The entries of a list; none where there is no list. */
export function listAt(source: ConfigSource, path: Path): readonly Json[] {
  const found = valueAt(source, path);
  return Array.isArray(found) ? found : [];
}

export function idsOf(sources: readonly ConfigSource[]): string[] {
  return sources.map((source) => textAt(source, ["id"])).filter((id) => id !== null);
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as { readonly [name: string]: Json })[key];
}
