import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type GeneratedFile, replaceBlock } from "./generated-file.ts";
import { type Layer, type LayerMap, readLayerMap } from "./layers/layer-map.ts";

const path = "docs/architecture.md";
const nodeWords = { none: "no", hashes: "crypto's hashes only", any: "yes" } as const;

const list = (names: readonly string[]): string => (names.length === 0 ? "-" : names.join(", "));

function row([name, { src, npm, node }]: [string, Layer]): string {
  return `| ${name} | ${list(src)} | ${npm === "any" ? "any" : list(npm)} | ${nodeWords[node]} |`;
}

export function layerTable(map: LayerMap): string {
  const head = ["| layer | may import from src | npm | node: |", "|---|---|---|---|"];
  return [...head, ...Object.entries(map).map(row)].join("\n");
}

export function architectureDocument(root: string): GeneratedFile {
  const document = readFileSync(join(root, path), "utf8");
  return { path, content: replaceBlock(document, "layers.json", layerTable(readLayerMap(root))) };
}
