import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFresh, replaceBlock, writeGenerated } from "../../scripts/generated-file.ts";
import { generatedFaults } from "../../scripts/generated-files.ts";
import { filesBelow } from "../../scripts/source-files.ts";
import { errorCodes } from "../../src/schema/errors.ts";
import { brokenLinks } from "./broken-links.ts";
import { plantTree, projectRoot } from "./planted-tree.ts";

const topLevel = ["README.md", "AGENTS.md", "CHANGELOG.md"];

function lineCount(file: string): number {
  return readFileSync(join(projectRoot, file), "utf8").trimEnd().split("\n").length;
}

describe("the documents", () => {
  it("are fresh where a script makes them", async () => {
    expect(await generatedFaults(projectRoot)).toEqual([]);
  });

  it("link to files and headings that exist", () => {
    const documents = [...topLevel, ...filesBelow(projectRoot, "docs")].filter(
      (file) => file.endsWith(".md") && existsSync(join(projectRoot, file)),
    );
    expect(documents).toContain("docs/architecture.md");
    expect(documents.flatMap((file) => brokenLinks(projectRoot, file))).toEqual([]);
  });

  it("explain every error code", () => {
    const document = readFileSync(join(projectRoot, "docs/errors.md"), "utf8");
    const missing = Object.keys(errorCodes).filter((code) => !document.includes(`| \`${code}\` |`));
    expect(missing).toEqual([]);
  });

  it("stay within the lengths that keep them read", () => {
    expect(lineCount("AGENTS.md")).toBeLessThanOrEqual(80);
    const decisions = filesBelow(projectRoot, "docs/decisions");
    expect(decisions.filter((file) => lineCount(file) > 40)).toEqual([]);
  });
});

describe("the checks of documents", () => {
  it("see a generated file that was edited", () => {
    const tree = plantTree({});
    onTestFinished(tree.remove);
    const file = { path: "docs/made.md", content: "made\n" };
    writeGenerated(tree.root, file);
    expect(isFresh(tree.root, file)).toBe(true);
    writeGenerated(tree.root, { ...file, content: "edited\n" });
    expect(isFresh(tree.root, file)).toBe(false);
  });

  it("see a generated file that is missing", () => {
    expect(isFresh(dirname(import.meta.dirname), { path: "none.md", content: "" })).toBe(false);
  });

  it("refuse a document whose markers are gone", () => {
    expect(() => replaceBlock("no markers", "layers.json", "table")).toThrow(
      "the markers of layers.json are missing",
    );
  });

  it("see links to a missing file and to a missing heading, and skip what stands in code", () => {
    const tree = plantTree({
      "docs/a.md": "# One idea\n[gone](gone.md) [b](b.md#two) [here](#one-idea) `[x](y.md)`\n",
      "docs/b.md": "# Three\n```\n[x](z.md)\n```\n[web](https://example.com/x)\n",
    });
    onTestFinished(tree.remove);
    expect(brokenLinks(tree.root, "docs/a.md")).toEqual([
      "docs/a.md: gone.md does not exist",
      "docs/a.md: b.md#two names no heading",
    ]);
    expect(brokenLinks(tree.root, "docs/b.md")).toEqual([]);
  });
});
