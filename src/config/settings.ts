import { relative } from "node:path";
import type { Json } from "../schema/json.ts";
import { baseUrlVariable } from "./base-urls.ts";
import type { Environment } from "./environment.ts";
import type { ConfigSource } from "./shape-faults.ts";
import { textAt, valueAt } from "./source-values.ts";
import type { Path } from "./yaml-tree.ts";

/** One setting with its value and whence it has it: a place in its file, a variable, or, where both are null, the default. */
export type Setting = {
  /** Relative to the home. */
  readonly file: string;
  /** Dotted. */
  readonly key: string;
  readonly value: Json;
  readonly place: { readonly line: number; readonly column: number } | null;
  readonly variable: string | null;
};

export type FileRead = { readonly source: ConfigSource; readonly value: unknown };

/** All settings of the files, in the order of their shapes; lists are one setting each. */
export function settingsOf(
  reads: readonly FileRead[],
  { home, env }: { readonly home: string; readonly env: Environment },
): Setting[] {
  return reads.flatMap(({ source, value }) => {
    const file = relative(home, source.file);
    return leavesOf(value as Json, []).map(({ path, leaf }) => {
      const variable = overridingVariable(source, path, env);
      const isOverridden = variable !== null;
      const isWritten = path.length === 0 || valueAt(source, path) !== undefined;
      return {
        file,
        key: path.map(String).join("."),
        value: isOverridden ? (env[variable] ?? leaf) : leaf,
        place: isWritten && !isOverridden ? source.tree.valuePlace(path) : null,
        variable: isOverridden ? variable : null,
      };
    });
  });
}

/** The variable that stands in for this setting now. */
function overridingVariable(source: ConfigSource, path: Path, env: Environment): string | null {
  const key = path.join(".");
  if (key === "embeddings.base_url") return baseUrlVariable("openai", env);
  return key === "base_url" ? baseUrlVariable(textAt(source, ["type"]) ?? "", env) : null;
}

function leavesOf(value: Json, path: Path): { readonly path: Path; readonly leaf: Json }[] {
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isMapping ? Object.entries(value) : [];
  if (entries.length === 0) return [{ path, leaf: value }];
  return entries.flatMap(([key, one]) => leavesOf(one, [...path, key]));
}
