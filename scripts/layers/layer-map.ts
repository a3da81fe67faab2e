import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const layer = z.strictObject({
  src: z.array(z.string()),
  npm: z.union([z.literal("any"), z.array(z.string())]),
  node: z.enum(["none", "hashes", "any"]),
});

export type Layer = z.infer<typeof layer>;
export type LayerMap = Readonly<Record<string, Layer>>;

/** Reads layers.json; every layer that another one names must be in the map. */
export function readLayerMap(root: string): LayerMap {
  const map = z
    .record(z.string(), layer)
    .parse(JSON.parse(readFileSync(join(root, "layers.json"), "utf8")));
  for (const [name, { src }] of Object.entries(map)) {
    const unknown = src.filter((imported) => !(imported in map));
    if (unknown.length > 0)
      throw new Error(`layers.json: ${name} names no layer: ${unknown.join(", ")}`);
  }
  return map;
}

/** The layer of a file under src/, as `src/engine/kernel/kernel.ts`; src/index.ts is a layer of its own. */
export function layerOf(file: string): string {
  const [, first = ""] = file.split("/");
  return first.replace(/\.ts$/, "");
}

/** Matches the files of one layer. */
export function layerPattern(name: string): string {
  return name === "index" ? "^src/index\\.ts$" : `^src/${name}/`;
}
