import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editYaml } from "../../src/config/edit-yaml.ts";
import { readYaml } from "../../src/config/yaml-tree.ts";
import type { Json } from "../../src/schema/json.ts";

function edited(text: string, path: readonly string[], value: Json): string {
  const result = editYaml("main.yaml", text, [{ path, value }]);
  return result.ok ? result.text : result.faults.map(({ message }) => message).join();
}

function without(text: string, path: readonly string[]): string {
  const result = editYaml("main.yaml", text, [{ path, removed: true }]);
  return result.ok ? result.text : result.faults.map(({ message }) => message).join();
}

describe("an edited file", () => {
  it("differs in the one value alone", () => {
    const text =
      "# Mine.\nid:   main\n\nenabled: true # for now\ntools: { allow: [a, b],  risk: {} }\nlist: [1,2]\n";
    expect(edited(text, ["enabled"], false)).toBe(text.replace("true", "false"));
    expect(edited(text, ["id"], "ops-2")).toBe(text.replace("main", "ops-2"));
    expect(edited(text, ["id"], "yes: no")).toBe(text.replace("main", '"yes: no"'));
    expect(edited(text, ["id"], "null")).toBe(text.replace("main", '"null"'));
  });

  it("gets a new key as the last line of its mapping, as far in as the others", () => {
    expect(edited("id: main", ["enabled"], false)).toBe("id: main\nenabled: false\n");
    expect(edited("id: main # me\n# end\n", ["enabled"], false)).toBe(
      "id: main # me\nenabled: false\n# end\n",
    );
    expect(edited("limits:\n    a: 1\n    b: [\n      2]\nid: x\n", ["limits", "c"], [3])).toBe(
      "limits:\n    a: 1\n    b: [\n      2]\n    c: [3]\nid: x\n",
    );
    expect(edited("a:\n  b:\n    c: |\n      text\n", ["a", "d"], 1)).toBe(
      "a:\n  b:\n    c: |\n      text\n  d: 1\n",
    );
  });

  it("keeps its comments also where it has to be written anew", () => {
    const text = "# Mine.\nid: main # me\ntools: {} # none\n# end\n";
    const more = edited(text, ["tools", "risk", "shell_exec"], "guarded");
    expect(more).toBe(
      "# Mine.\nid: main # me\ntools: {risk: {shell_exec: guarded}} # none\n\n# end\n",
    );
    expect(without(text, ["tools"])).toBe("# Mine.\nid: main # me\n\n# end\n");
    expect(edited("", ["id"], "main")).toBe("id: main\n");
    expect(edited("# only this\n", ["id"], "main")).toBe("# only this\n\nid: main\n");
  });

  it("is left alone when it has faults, or would have", () => {
    expect(edited("a: [\n", ["b"], 1)).toContain("Flow sequence");
    expect(edited("a: &x 1\n", ["b"], 1)).toBe("anchors (&name) are not read; write the value out");
    expect(edited("a: 1\n", ["__proto__"], 1)).toBe("the key __proto__ is refused");
    expect(edited("a: 1\n", ["b"], "x".repeat(70_000))).toBe("the file is larger than 65536 bytes");
  });

  it("reads as the data with the change, whatever it held", () => {
    const word = fc.constantFrom("a", "b", "c", "enabled", "no", "# x", "1");
    const value: fc.Arbitrary<Json> = fc.oneof(
      word,
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      fc.array(word, { maxLength: 3 }),
    );
    const line = fc.tuple(word, value, fc.constantFrom("", " # note", "\n  # note", "\n"));
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { selector: ([key]) => key, maxLength: 5 }),
        word,
        value,
        (lines, key, wanted) => {
          const text = lines
            .map(([name, one, end]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}${end}\n`)
            .join("");
          const result = readYaml("main.yaml", edited(text, [key], wanted));
          const before = Object.fromEntries(lines.map(([name, one]) => [name, one]));
          expect(result.ok && result.tree.value).toEqual({ ...before, [key]: wanted });
        },
      ),
      { numRuns: 120 },
    );
  });
});
