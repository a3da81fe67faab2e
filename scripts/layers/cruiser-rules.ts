import type { IFlattenedRuleSet, IForbiddenRuleType } from "dependency-cruiser";
import { type Layer, type LayerMap, layerPattern } from "./layer-map.ts";

/** Everything that package.json must list under `dependencies` before src may import it. */
const undeclaredPackages = ["npm-dev", "npm-peer", "npm-no-pkg", "npm-unknown"] as const;

const treeRules: IForbiddenRuleType[] = [
  { name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
  { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  {
    name: "declared-packages-only",
    severity: "error",
    from: { path: "^src/" },
    to: { dependencyTypes: [...undeclaredPackages] },
  },
  {
    name: "optional-packages-in-their-thread",
    severity: "error",
    from: { path: "^src/", pathNot: "^src/adapters/embedder/embedding-worker\\.ts$" },
    to: { dependencyTypes: ["npm-optional"] },
  },
];

function srcRule(name: string, { src }: Layer): IForbiddenRuleType {
  return {
    name: `${name}-imports-layers`,
    severity: "error",
    from: { path: layerPattern(name) },
    to: { path: "^src/", pathNot: [name, ...src].map(layerPattern) },
  };
}

function npmRule(name: string, { npm }: Layer): IForbiddenRuleType[] {
  if (npm === "any") return [];
  const allowed = npm.map((packageName) => `node_modules/${packageName}/`);
  return [
    {
      name: `${name}-imports-packages`,
      severity: "error",
      from: { path: layerPattern(name) },
      to: { path: "node_modules/", ...(allowed.length === 0 ? {} : { pathNot: allowed }) },
    },
  ];
}

function nodeRule(name: string, { node }: Layer): IForbiddenRuleType[] {
  if (node === "any") return [];
  return [
    {
      name: `${name}-imports-builtins`,
      severity: "error",
      from: { path: layerPattern(name) },
      to: {
        dependencyTypes: ["core"],
        ...(node === "hashes" ? { pathNot: "^(node:)?crypto$" } : {}),
      },
    },
  ];
}

/** Turns the layer map into rules of dependency-cruiser; type-only imports fall under them too. */
export function cruiserRules(map: LayerMap): IFlattenedRuleSet {
  const layerRules = Object.entries(map).flatMap(([name, layer]) => [
    srcRule(name, layer),
    ...npmRule(name, layer),
    ...nodeRule(name, layer),
  ]);
  return { forbidden: [...treeRules, ...layerRules] };
}
