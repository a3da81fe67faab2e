import * as fc from "fast-check";
import { isMap, isSeq, LineCounter } from "yaml";
import { describe, expect, it } from "vitest";
import { refuseYaml, yamlLimits } from "../../src/config/yaml-guard.ts";
import type { YamlParser } from "../../src/config/yaml-tree.ts";
import { parseStrictly, readYaml } from "../../src/config/yaml-tree.ts";

const mustNotParse: YamlParser = () => {
  throw new Error("the text reached the yaml parser");
};

function firstFault(text: string): string {
  const result = readYaml("main.yaml", text, mustNotParse);
  return result.ok ? "accepted" : (result.faults[0]?.message ?? "no fault");
}

const openers = "the file has more than 400 [ and {; write lists and mappings one entry per line";
const nesting = "the file nests too deeply";

describe("Y01: deep YAML never reaches the parser", () => {
  it.each([
    ["opening brackets", "[".repeat(5_000), openers],
    ["opening braces with keys", "{a: ".repeat(5_000), nesting],
    ["brackets behind a quote that is no quote", `a: b "\nc: ${"[".repeat(5_000)}`, openers],
    ["brackets behind a comment sign that is none", `a: ["x\n# y", ${"[".repeat(5_000)}`, openers],
    [
      "growing indents",
      Array.from({ length: 200 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
      nesting,
    ],
    ["list entries in one line", "- ".repeat(5_000), nesting],
    ["complex keys in one line", "? ".repeat(5_000), nesting],
    ["mapping values in one line", "a: ".repeat(5_000), nesting],
    [
      "indents behind a bracket that opens nothing",
      `a: b [\n${Array.from({ length: 200 }, (_, level) => `${" ".repeat(level + 1)}- a:`).join("\n")}`,
      nesting,
    ],
  ])("refuses %s", (_name, text, message) => {
    expect(firstFault(text)).toBe(message);
  });
});

describe("Y02: large YAML never reaches the parser", () => {
  it.each([
    [
      "two hundred aliases",
      `a: &a x\nb: [${"*a, ".repeat(200)}]`,
      "the file has more than 20 aliases",
    ],
    [
      "one scalar of a megabyte",
      `a: ${"x".repeat(1_048_576)}`,
      "the file is larger than 65536 bytes",
    ],
    [
      "a hundred thousand keys",
      Array.from({ length: 100_000 }, (_, key) => `k${key}: 1`).join("\n"),
      "the file is larger than 65536 bytes",
    ],
    ["more lines than a person writes", "\n".repeat(2_500), "the file has more than 2000 lines"],
    ["bytes that are few characters", "é".repeat(40_000), "the file is larger than 65536 bytes"],
  ])("refuses %s", (_name, text, message) => {
    expect(firstFault(text)).toBe(message);
  });

  it("says in which line and column it stopped", () => {
    expect(refuseYaml(`a: 1\nb: ${"[".repeat(401)}`)).toEqual({
      line: 2,
      column: 404,
      message: openers,
    });
  });
});

describe("what the guard lets through", () => {
  it("accepts patterns with stars, prose with dashes and long comments", () => {
    const text = [
      `# ${"-".repeat(200)}`,
      "# a - b: c - d [see * and **]",
      "grant: [fs.read:**, fs.write:**/*.md]",
      'cron: "*/5 * * * *"',
      "text: |",
      "  one - two: three",
      "    * four",
    ].join("\n");
    expect(refuseYaml(text)).toBeNull();
  });

  it("bounds the depth of whatever the parser makes of a text", () => {
    const limits = { ...yamlLimits, flowOpeners: 3, blockNesting: 4 };
    const anyText = fc
      .array(fc.constantFrom(...pieces), { maxLength: 60 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(refuseYaml(text, limits) === null);
        expect(parsedDepth(text)).toBeLessThanOrEqual(
          2 * limits.flowOpeners + 2 * limits.blockNesting + 1,
        );
      }),
      { numRuns: 3_000 },
    );
  });
});

const pieces = [
  "[|]|{|}|- |? |: |a: |a:|a|,|# |&b |!c | |  |'|\"".split("|"),
  ["\n", "\n  ", "\n    ", "|\n", ">\n"],
].flat();

function parsedDepth(text: string): number {
  return depthOf(parseStrictly(text, new LineCounter()).contents);
}

function depthOf(node: unknown): number {
  if (isSeq(node)) return 1 + Math.max(0, ...node.items.map(depthOf));
  if (isMap(node))
    return (
      1 + Math.max(0, ...node.items.flatMap((pair) => [depthOf(pair.key), depthOf(pair.value)]))
    );
  return 0;
}
