import * as fc from "fast-check";
import { isMap, isSeq, LineCounter } from "yaml";
import { describe, expect, it } from "vitest";
import { refuseYaml, yamlLimits } from "../../src/config/yaml-guard.ts";
import { parseStrictly } from "../../src/config/yaml-tree.ts";

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
