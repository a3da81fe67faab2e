import { join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { sourceFiles } from "../source-files.ts";
import { cruiserRules } from "./cruiser-rules.ts";
import type { LayerMap } from "./layer-map.ts";

/** Reads every import below src/ and names those that the map forbids.
 *
 *  dependency-cruiser needs a TypeScript with a JS API; without one it silently reads nothing, so a count of
 *  modules that differs from the count of files is a fault as well. */
export async function cruiseTree(root: string, map: LayerMap): Promise<string[]> {
  const { output } = await cruise(
    ["src"],
    {
      baseDir: root,
      ruleSet: cruiserRules(map),
      validate: true,
      tsPreCompilationDeps: true,
      doNotFollow: { path: "node_modules" },
      enhancedResolveOptions: { conditionNames: ["import", "types", "node", "default"] },
    },
    {},
    { tsConfig: extractTsConfig(join(root, "tsconfig.json")) },
  );
  const { modules, summary } = output as ICruiseResult;
  const read = modules.filter(({ source }) => source.startsWith("src/")).length;
  const expected = sourceFiles(root).length;
  const unread =
    read === 0 || read !== expected
      ? [`dependency-cruiser read ${read} of ${expected} files below src/`]
      : [];
  const violations = summary.violations.map(
    ({ rule, from, to, cycle }) =>
      `${rule.name}: ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(" -> ")}`,
  );
  return [...unread, ...new Set(violations)];
}
