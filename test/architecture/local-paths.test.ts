import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { filesBelow } from "../../scripts/source-files.ts";
import { filesNaming, localPaths } from "./local-paths.ts";
import { plantTree, projectRoot } from "./planted-tree.ts";

const folders = [
  "src",
  "test",
  "scripts",
  "docs",
  "config",
  "prompts",
  "skills",
  "examples",
  ".ci",
];
const single = ["README.md", "AGENTS.md", "CHANGELOG.md", "package.json"];
const exists = (path: string): boolean => existsSync(join(projectRoot, path));

it("names no path of the machine on which it was written", () => {
  const files = folders.filter(exists).flatMap((folder) => filesBelow(projectRoot, folder));
  const all = [...files, ...single.filter(exists)];
  expect(filesNaming(projectRoot, all, localPaths(projectRoot))).toEqual([]);
});

it("sees a file that names one, and leaves a longer name in peace", () => {
  const tree = plantTree({
    "docs/a.md": "see /mine/project/notes\n",
    "docs/b.md": "/mine/projects\n",
  });
  onTestFinished(tree.remove);
  const files = ["docs/a.md", "docs/b.md"];
  expect(filesNaming(tree.root, files, ["/mine/project"])).toEqual(["docs/a.md"]);
});
