import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One committed file that a script makes: its path below the root and its whole content. */
export type GeneratedFile = { readonly path: string; readonly content: string };

/** Replaces what stands between `<!-- generated: name -->` and `<!-- /generated: name -->`. */
export function replaceBlock(document: string, name: string, block: string): string {
  const [open, close] = [`<!-- generated: ${name} -->`, `<!-- /generated: ${name} -->`];
  const [start, end] = [document.indexOf(open), document.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`the markers of ${name} are missing`);
  return `${document.slice(0, start + open.length)}\n${block.trim()}\n${document.slice(end)}`;
}

export function isFresh(root: string, { path, content }: GeneratedFile): boolean {
  const file = join(root, path);
  return existsSync(file) && readFileSync(file, "utf8") === content;
}

export function writeGenerated(root: string, { path, content }: GeneratedFile): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

export function removeStale(root: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(root, path));
}
