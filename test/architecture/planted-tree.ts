import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const projectRoot = join(import.meta.dirname, "..", "..");

const houseFiles = [
  "package.json",
  "layers.json",
  "tsconfig.json",
  ".oxlintrc.json",
  "scripts/lint",
];

export type PlantedTree = { readonly root: string; readonly remove: () => void };

/** A small project with the real rules and packages, and only the given sources. */
export function plantTree(sources: Readonly<Record<string, string>>): PlantedTree {
  const root = mkdtempSync(join(tmpdir(), "statehive-tree-"));
  for (const file of houseFiles)
    cpSync(join(projectRoot, file), join(root, file), { recursive: true });
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  for (const [file, source] of Object.entries(sources)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
