import { describe, expect, it } from "vitest";
import { readYaml } from "../../src/config/yaml-tree.ts";

function problems(text: string): string[] {
  const result = readYaml("main.yaml", text);
  if (result.ok) return [`read as ${JSON.stringify(result.tree.value)}`];
  return result.faults.map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
}

describe("Y02: one text has one reading", () => {
  it.each([
    ["a key that is there twice", "a: 1\nb: 2\na: 3\n", "3:1 a: the key is there twice"],
    [
      "several documents",
      "a: 1\n---\nb: 2\n",
      "2:1 : the file holds more than one document; write one file for each",
    ],
    ["an anchor", "a: &x 1\n", "1:7 a: anchors (&name) are not read; write the value out"],
  ])("refuses %s", (_name, text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it("does not expand a billion laughs", () => {
    const laughs = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n";
    expect(problems(laughs).every((problem) => problem.includes("are not read"))).toBe(true);
  });
});

describe("Y03: nothing in YAML runs or reaches a prototype", () => {
  it.each([
    [
      "a tag that names a function",
      "a: !!js/function 'x'\n",
      "1:18 a: tags (!name) are not read; write the plain value",
    ],
    ["a standard tag", "a: !!str 1\n", "1:10 a: tags (!name) are not read; write the plain value"],
    [
      "front matter in JavaScript",
      "---js\nmodule.exports = 1\n---\n",
      "3:1 : the file holds more than one document; write one file for each",
    ],
    [
      "a key __proto__",
      "__proto__: { admin: true }\n",
      "1:1 __proto__: the key __proto__ is refused",
    ],
    [
      "a key constructor",
      "a: { constructor: 1 }\n",
      "1:6 a.constructor: the key constructor is refused",
    ],
    ["a merge key", "<<: { a: 1 }\n", "1:1 <<: merge keys (<<) are not read; write the keys out"],
    ["a directive", "%YAML 1.1\n---\na: yes\n", "1:1 : YAML directives (%…) are not read"],
    ["a key that is a list", "[a]: 1\n", "1:1 : a key is text; put it in quotes"],
    ["a number that is none", "a: .nan\n", "1:4 a: not a number that can be used"],
  ])("refuses %s", (_name, text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it("names all of them at once", () => {
    expect(problems("a: !x 1\nb: &y 2\nc: 1\nc: 2\n")).toHaveLength(3);
  });

  it("does not repeat the text that it stumbled over", () => {
    for (const text of [
      'key: "sk-secret\n',
      "key: sk-secret: x\n",
      "key: [sk-secret\n",
      "key: @sk-secret\n",
      "- sk-secret\nkey: 1\n",
      "key: 'a' sk-secret\n",
    ]) {
      expect(problems(text).join("\n")).not.toContain("sk-secret");
    }
  });

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
