import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  machineDocument,
  machineDocuments,
  orphanedMachineDocuments,
} from "../../scripts/generate-machine-docs.ts";
import { loadMachines } from "../../scripts/machines/load-machines.ts";
import { teaOrderWith } from "./planted-machine.ts";
import { plantTree, projectRoot } from "./planted-tree.ts";

const teaOrder = readFileSync(
  join(projectRoot, "test/architecture/fixtures/tea-order.machine.ts"),
  "utf8",
);

it("writes down a machine's states and events beside its chart", async () => {
  const { path, content } = machineDocument(await teaOrderWith());
  expect(path).toBe("docs/machines/tea_order.md");
  expect(content).toContain("# tea_order, version 1");
  expect(content).toContain("![The chart of tea_order](tea_order.svg)");
  expect(content).toContain("```mermaid\nstateDiagram-v2\n");
  expect(content).toContain(
    "| `boiling` | The kettle is on. | `busy` | `boilWater` | `kettle.boiled` |",
  );
  expect(content).toContain("| `order.cancel` | every state |");
  expect(content).toContain("| `order.placed` | `waiting_for_order` |");
});

it("finds each machine file, and the documents of machines that are gone", async () => {
  const tree = plantTree({
    "src/machines/tea-order.machine.ts": teaOrder,
    "docs/machines/coffee_order.md": "# coffee_order\n",
  });
  onTestFinished(tree.remove);
  const documents = await machineDocuments(tree.root);
  expect(documents.map(({ path }) => path)).toEqual([
    "docs/machines/tea_order.md",
    "docs/machines/tea_order.svg",
  ]);
  expect(orphanedMachineDocuments(tree.root, documents)).toEqual(["docs/machines/coffee_order.md"]);
});

it("says which export a machine file lacks", async () => {
  const tree = plantTree({ "src/machines/tea-cup.machine.ts": teaOrder });
  onTestFinished(tree.remove);
  await expect(loadMachines(tree.root)).rejects.toThrow(
    "src/machines/tea-cup.machine.ts exports no machine named teaCupMachine",
  );
});
