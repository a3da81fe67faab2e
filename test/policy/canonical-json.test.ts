import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, hashOf } from "../../src/policy/canonical-json.ts";
import type { Json } from "../../src/schema/json.ts";

function reversed(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe("canonical JSON", () => {
  it("sorts keys at every level and writes no spaces", () => {
    expect(canonicalJson({ b: [1, { z: null, a: true }], a: "x\n" })).toBe(
      '{"a":"x\\n","b":[1,{"a":true,"z":null}]}',
    );
  });

  it("is the same text whatever order the keys came in, and parses back to the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(canonicalJson(reversed(json))).toBe(canonicalJson(json));
        expect(JSON.parse(canonicalJson(json))).toEqual(json);
      }),
    );
  });

  it("tells apart strings that differ only in a lone surrogate", () => {
    expect(hashOf("\ud800")).not.toBe(hashOf("\ud801"));
  });

  it("refuses what JSON lacks", () => {
    expect(() => canonicalJson([Number.NaN])).toThrow("NaN has no JSON form.");
    let deep: Json = null;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow("128 levels");
  });

  it("is hashed with sha256", () => {
    expect(hashOf({ b: 1, a: 2 })).toBe(
      "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772",
    );
  });
});
