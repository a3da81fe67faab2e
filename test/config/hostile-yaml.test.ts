import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mainFile } from "../../src/schema/config/config-main.ts";
import { checkShape } from "../../src/config/shape-faults.ts";
import { refuseYaml } from "../../src/config/yaml-guard.ts";
import type { YamlParser } from "../../src/config/yaml-tree.ts";
import { readYaml } from "../../src/config/yaml-tree.ts";

/** The attack cases Y01-Y03; Y04 and Y05 are in load-config.test.ts and references.test.ts. */

const mustNotParse: YamlParser = () => {
  throw new Error("the text reached the yaml parser");
};

function firstFault(text: string): string {
  const result = readYaml("main.yaml", text, mustNotParse);
  return result.ok ? "accepted" : (result.faults[0]?.message ?? "no fault");
}

const openers = "the file has more than 400 [ and {; write lists and mappings one entry per line";
const nesting = "the file nests too deeply";

function problems(text: string): string[] {
  const result = readYaml("main.yaml", text);
  if (result.ok) return [`read as ${JSON.stringify(result.tree.value)}`];
  return result.faults.map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
}

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
  ])("refuses %s, as often as it is read", (_name, text, message) => {
    const told = Array.from({ length: 7 }, () => firstFault(text));
    expect(told).toEqual(Array.from({ length: 7 }, () => message));
  });

  it("stops looking at the first thing too many", () => {
    const columns = ["[", "{a: ", "- ", "? "].map(
      (piece) => refuseYaml(piece.repeat(5_000))?.column,
    );
    expect(columns).toEqual([401, 259, 129, 129]);
  });

  it.each([
    ["brackets", "[".repeat(400)],
    ["braces", "{".repeat(400)],
    ["keys in braces", "{a: ".repeat(64)],
    ["list entries", "- ".repeat(64)],
    ["complex keys", "? ".repeat(64)],
    ["indents", Array.from({ length: 64 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
  ])(
    "survives the parser with the most %s that reach it, seven times in one process",
    (_name, text) => {
      expect(refuseYaml(text)).toBeNull();
      const results = Array.from({ length: 7 }, () => readYaml("main.yaml", text));
      expect(results.map(({ ok }) => ok)).toEqual(Array.from({ length: 7 }, () => false));
    },
  );
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

  it("leaves no trace on what other objects inherit", () => {
    for (const key of ["__proto__", '"__proto__"', "'__proto__'", "? __proto__\n", "constructor"]) {
      const text = `a:\n  ${key}: { admin: true }\nb: { ${key.trim()}: { admin: true } }\n`;
      expect(readYaml("main.yaml", text).ok).toBe(false);
      expect(readYaml("main.yaml", `- [{ ${key.trim()}: { admin: true } }]\n`).ok).toBe(false);
    }
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  });

  it("reads names that only look special as plain keys", () => {
    const result = readYaml("main.yaml", "toString: 1\nhasOwnProperty: 2\n");
    expect(result.ok && result.tree.value).toEqual({ toString: 1, hasOwnProperty: 2 });
    if (!result.ok) return;
    const source = { file: "main.yaml", tree: result.tree, isWhole: true };
    const shape = checkShape(source, mainFile);
    expect(shape.ok ? [] : shape.faults.map(({ path }) => path)).toEqual([
      "toString",
      "hasOwnProperty",
    ]);
  });
});

describe("YAML-like soup", () => {
  const pieces = [
    ..."[ ] { } , : - ? # | > & * ! % @ ` ' \" \\ ~ = .".split(" "),
    ...'a:|b: |- |? |&x |*x |<<: |!!str |!!js/function |---|...|%YAML 1.1|__proto__: |"\\u0000"|1e400|.nan|-0|0x|9e99'.split(
      "|",
    ),
    ..."sessions:|  queue: |runs: |  max_concurrent: |steer|env:X|null|true|2026-01-01".split("|"),
    "\n",
    "\n  ",
    "\n    ",
    "\n\t",
    "\r\n",
    "\r",
    "\u0000",
    "\uFEFF",
    "\u2028",
    "\u0085",
    "é",
    "🦀",
    " ",
  ];
  const soup = fc
    .array(fc.constantFrom(...pieces), { maxLength: 80 })
    .map((parts) => parts.join(""));

  it("is read or refused with places that are in it, and never breaks the reader", () => {
    fc.assert(
      fc.property(soup, (text) => {
        const lines = text.split(/\r\n|[\r\n]/).length;
        const result = readYaml("main.yaml", text);
        const tree = result.ok ? result.tree : result.remains;
        const source = tree === null ? null : { file: "main.yaml", tree, isWhole: result.ok };
        const shape = source === null ? null : checkShape(source, mainFile);
        const faults = [
          ...(result.ok ? [] : result.faults),
          ...(shape === null || shape.ok ? [] : shape.faults),
        ];
        for (const { line, column, message } of faults) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(lines + 1);
          expect(column).toBeGreaterThan(0);
          expect(message).not.toBe("");
        }
        expect(result.ok || result.faults.length > 0).toBe(true);
      }),
      { numRuns: 600 },
    );
  });
});
