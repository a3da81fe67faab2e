import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonInput, refuseHostileKeys } from "../../src/policy/json-input.ts";

const invalid = (part: string) =>
  expect.objectContaining({ code: "json.invalid", message: expect.stringContaining(part) });

describe("parseJsonInput", () => {
  it("gives the value of plain JSON", () => {
    expect(parseJsonInput('{"a":[1,"x\\"]}{",null,true],"b":{"c":-0.5}}')).toEqual({
      a: [1, 'x"]}{', null, true],
      b: { c: -0.5 },
    });
  });

  it("agrees with JSON.parse on all harmless JSON", () => {
    fc.assert(
      fc.property(fc.json({ depthSize: "small", maxDepth: 6 }), (text) => {
        fc.pre(!/__proto__|constructor|prototype/.test(text));
        expect(parseJsonInput(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "I01: refuses the key %s at every level",
    (key) => {
      for (const text of [
        `{"${key}":{"isAdmin":true}}`,
        `[{"a":{"${key}":1}}]`,
        `{"a":[[{"${key}":null}]]}`,
      ]) {
        expect(() => parseJsonInput(text)).toThrow(invalid(key));
      }
      expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
    },
  );

  it("I01: refuses a hostile key that is written with escapes", () => {
    expect(() => parseJsonInput('{"\\u005f\\u005fproto__":{}}')).toThrow(invalid("__proto__"));
  });

  it("I01: lets such a word through as a value", () => {
    expect(parseJsonInput('["__proto__"]')).toEqual(["__proto__"]);
  });

  it.each(["[", '{"a":', '[{"a":'])(
    "I02: refuses a million levels of %s before parsing",
    (opening) => {
      expect(() => parseJsonInput(opening.repeat(500_000))).toThrow(invalid("levels deep"));
    },
  );

  it("I02: takes 64 levels and refuses 65", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(JSON.stringify(parseJsonInput(nested(64)))).toBe(nested(64));
    expect(() => parseJsonInput(nested(65))).toThrow(invalid("64 levels"));
  });

  it("I02: counts no brackets inside of strings", () => {
    expect(parseJsonInput(`["${"[".repeat(200)}\\"${"{".repeat(200)}"]`)).toHaveLength(1);
  });

  it("I02: refuses 50 MB by its size", () => {
    expect(() => parseJsonInput(`"${"x".repeat(50_000_000)}"`)).toThrow(invalid("characters"));
    expect(() => parseJsonInput("[1,2]", { maxCharacters: 4, maxDepth: 9 })).toThrow(
      invalid("at most 4"),
    );
  });

  it.each(["1e400", "-1e400", '{"a":[1e999]}'])("I02: refuses the number in %s", (text) => {
    expect(() => parseJsonInput(text)).toThrow(invalid("too large"));
  });

  it.each(["", "NaN", "{a:1}", '{"a":1', '"open', '"\\', "undefined", "\u0000"])(
    "I02: refuses %j as no JSON",
    (text) => {
      expect(() => parseJsonInput(text)).toThrow(invalid("not JSON"));
    },
  );
});

describe("refuseHostileKeys", () => {
  it("passes plain values", () => {
    for (const value of [null, "x", 1, { a: [{ b: { c: [] } }] }])
      expect(() => refuseHostileKeys(value)).not.toThrow();
  });

  it("I01: finds a hostile key at every level", () => {
    const parsed: unknown = JSON.parse('{"a":[{"b":{"__proto__":{"isAdmin":true}}}]}');
    expect(() => refuseHostileKeys(parsed)).toThrow(invalid("__proto__"));
    expect(() => refuseHostileKeys({ constructor: 1 })).toThrow(invalid("constructor"));
  });

  it("I02: survives a value of 100,000 levels", () => {
    let deep: unknown = null;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(() => refuseHostileKeys(deep)).toThrow(invalid("levels deep"));
  });

  it("I02: ends on a value that holds itself", () => {
    const self: Record<string, unknown> = {};
    self["self"] = self;
    expect(() => refuseHostileKeys(self)).toThrow(invalid("levels deep"));
  });

  it("I02: ends on a small value that unfolds into a huge one", () => {
    let shared: unknown = [];
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(() => refuseHostileKeys(shared)).toThrow(invalid("parts"));
  });

  it("I02: refuses a number that JSON cannot hold", () => {
    expect(() => refuseHostileKeys({ a: [Infinity] })).toThrow(invalid("too large"));
    expect(() => refuseHostileKeys(Number.NaN)).toThrow(invalid("too large"));
  });

  it("agrees with the parser on depth", () => {
    const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
    expect(() => refuseHostileKeys(nested(64))).not.toThrow();
    expect(() => refuseHostileKeys(nested(65))).toThrow(invalid("64 levels"));
  });
});
