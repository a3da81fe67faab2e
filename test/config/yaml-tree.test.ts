import { describe, expect, it } from "vitest";
import { readYaml } from "../../src/config/yaml-tree.ts";

function problems(text: string): string[] {
  const result = readYaml("main.yaml", text);
  if (result.ok) return [`read as ${JSON.stringify(result.tree.value)}`];
  return result.faults.map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
}

describe("plain YAML", () => {
  it("reads yes, no and dates as text, as YAML 1.2 says", () => {
    expect(problems("a: yes\nb: 2026-01-01\nc: null\nd: 0x1F\n")).toEqual([
      'read as {"a":"yes","b":"2026-01-01","c":null,"d":31}',
    ]);
  });
});

describe("places", () => {
  it("knows where keys and values stand, and the mapping that lacks one", () => {
    const result = readYaml("main.yaml", "a: 1\nb:\n  - c: x\n    d: [1, 22]\n");
    if (!result.ok) throw new Error("must be readable");
    expect(result.tree.valuePlace(["b", 0, "d", 1])).toEqual({ line: 4, column: 12 });
    expect(result.tree.keyPlace(["b", 0, "d"])).toEqual({ line: 4, column: 5 });
    expect(result.tree.valuePlace(["b", 0, "e"])).toEqual({ line: 3, column: 5 });
  });
});
