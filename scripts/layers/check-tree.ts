import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFiles } from "../source-files.ts";
import { cruiseTree } from "./cruise-tree.ts";
import { impureCryptoImports } from "./hash-imports.ts";
import { type LayerMap, layerOf, readLayerMap } from "./layer-map.ts";

function unknownLayers(files: readonly string[], map: LayerMap): string[] {
  return files
    .filter((file) => !(layerOf(file) in map))
    .map((file) => `unknown-layer: ${file} lies in no layer of layers.json`);
}

function impureHashing(root: string, files: readonly string[], map: LayerMap): string[] {
  return files
    .filter((file) => map[layerOf(file)]?.node === "hashes")
    .flatMap((file) =>
      impureCryptoImports(readFileSync(join(root, file), "utf8")).map(
        (statement) => `hashes-only: ${file}: ${statement}`,
      ),
    );
}

/** What breaks layers.json in the tree at `root`, one line each; empty when nothing does. */
export async function layerFaults(root: string): Promise<string[]> {
  const map = readLayerMap(root);
  const files = sourceFiles(root);
  return [
    ...unknownLayers(files, map),
    ...impureHashing(root, files, map),
    ...(await cruiseTree(root, map)),
  ];
}
