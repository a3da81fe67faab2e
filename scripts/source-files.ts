import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Files below `root/folder`, as posix paths relative to root, sorted. */
export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

/** Every TypeScript source of the product. */
export function sourceFiles(root: string): string[] {
  return filesBelow(root, "src").filter((file) => /\.tsx?$/.test(file));
}
