import { describe, expect, it, onTestFinished } from "vitest";
import { layerFaults } from "../../scripts/layers/check-tree.ts";
import { layerOf, readLayerMap } from "../../scripts/layers/layer-map.ts";
import { sourceFiles } from "../../scripts/source-files.ts";
import { plantTree, projectRoot } from "./planted-tree.ts";

async function faultsOf(sources: Record<string, string>): Promise<string[]> {
  const tree = plantTree(sources);
  onTestFinished(tree.remove);
  return layerFaults(tree.root);
}

const exportOne = "export const one = 1;\n";
const exportShape = "export type Shape = { readonly one: number };\n";

describe("the layers", () => {
  it("are kept by every import of the real tree", async () => {
    expect(await layerFaults(projectRoot)).toEqual([]);
  });

  it("are known for every source file", () => {
    const map = readLayerMap(projectRoot);
    const unknown = sourceFiles(projectRoot).filter((file) => !(layerOf(file) in map));
    expect(unknown).toEqual([]);
  });

  it("let a tree pass that keeps to them", async () => {
    const faults = await faultsOf({
      "src/schema/shape.ts": `import { z } from "zod";\nexport const shape = z.string();\n`,
      "src/engine/hash.ts": `import { createHash } from "node:crypto";\nimport type { AnyStateMachine } from "xstate";\nimport { shape } from "../schema/shape.ts";\nexport const hash = createHash;\nexport type Machine = AnyStateMachine;\nexport const same = shape;\n`,
      "src/index.ts": `export { shape } from "./schema/shape.ts";\n`,
    });
    expect(faults).toEqual([]);
  });

  it("refuse a layer that imports one above it", async () => {
    const faults = await faultsOf({
      "src/machines/run.ts": exportOne,
      "src/adapters/telegram.ts": `export { one } from "../machines/run.ts";\n`,
    });
    expect(faults).toEqual([
      "adapters-imports-layers: src/adapters/telegram.ts -> src/machines/run.ts",
    ]);
  });

  it("refuse the same import when it takes types only", async () => {
    const faults = await faultsOf({
      "src/actors/run.ts": exportShape,
      "src/machines/run.ts": `import type { Shape } from "../actors/run.ts";\nexport type Own = Shape;\n`,
    });
    expect(faults).toEqual(["machines-imports-layers: src/machines/run.ts -> src/actors/run.ts"]);
  });

  it("refuse a cycle, within a layer and through types too", async () => {
    const faults = await faultsOf({
      "src/engine/a.ts": `import type { B } from "./b.ts";\nexport type A = B | 1;\n`,
      "src/engine/b.ts": `import type { A } from "./a.ts";\nexport type B = A | 2;\n`,
    });
    expect(faults).toContain("no-cycle: src/engine/a.ts -> src/engine/b.ts -> src/engine/a.ts");
  });

  it("refuse a builtin of Node in a pure layer", async () => {
    const faults = await faultsOf({
      "src/machines/run.ts": `import { readFileSync } from "node:fs";\nexport const read = readFileSync;\n`,
    });
    expect(faults).toEqual(["machines-imports-builtins: src/machines/run.ts -> fs"]);
  });

  it("refuse all of node:crypto but its hashes", async () => {
    const faults = await faultsOf({
      "src/policy/id.ts": `import { createHash, randomUUID } from "node:crypto";\nexport const id = [createHash, randomUUID];\n`,
    });
    expect(faults).toEqual([
      'hashes-only: src/policy/id.ts: import { createHash, randomUUID } from "node:crypto"',
    ]);
  });

  it("refuse a package that the layer may not use", async () => {
    const faults = await faultsOf({
      "src/policy/verdict.ts": `import { z } from "zod";\nexport const verdict = z.string();\n`,
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^policy-imports-packages: src\/policy\/verdict\.ts -> .*zod/);
  });

  it("refuse a package that only development needs", async () => {
    const faults = await faultsOf({
      "src/app/start.ts": `import { it } from "vitest";\nexport const start = it;\n`,
    });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^declared-packages-only: src\/app\/start\.ts -> .*vitest/);
  });

  it("refuse an import that leads nowhere", async () => {
    const faults = await faultsOf({ "src/app/start.ts": `import "../engine/missing.ts";\n` });
    expect(faults).toEqual(["resolvable: src/app/start.ts -> ../engine/missing.ts"]);
  });

  it("refuse a folder that layers.json does not name", async () => {
    const faults = await faultsOf({ "src/utils/text.ts": exportOne });
    expect(faults).toEqual(["unknown-layer: src/utils/text.ts lies in no layer of layers.json"]);
  });
});
