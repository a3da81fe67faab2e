import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The absolute paths of a project and of what lies beside it: nobody else has them. */
export function localPaths(root: string): string[] {
  const parent = dirname(root);
  return parent === dirname(parent)
    ? [root]
    : readdirSync(parent).map((name) => join(parent, name));
}

/** The files that name one of these paths, whole or as the start of a longer one. */
export function filesNaming(
  root: string,
  files: readonly string[],
  paths: readonly string[],
): string[] {
  return files.filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return paths.some((path) =>
      text
        .split(path)
        .slice(1)
        .some((rest) => !/^[\w.-]/.test(rest)),
    );
  });
}
