import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesSegments } from "../../src/policy/glob.ts";
import { workMs } from "../support/work-ms.ts";

function matches(pattern: string, path: string): boolean {
  return matchesSegments(pattern.split("/"), path.split("/"));
}

/** The textbook definition, exponential and obviously right. */
function bySpecification(pattern: readonly string[], path: readonly string[]): boolean {
  const [head, ...tail] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === "**") {
    return (
      bySpecification(tail, path) || (path.length > 0 && bySpecification(pattern, path.slice(1)))
    );
  }
  const [name, ...rest] = path;
  return name !== undefined && nameBySpecification(head, name) && bySpecification(tail, rest);
}

function nameBySpecification(pattern: string, name: string): boolean {
  if (pattern === "") return name === "";
  if (pattern.startsWith("*")) {
    return (
      nameBySpecification(pattern.slice(1), name) ||
      (name !== "" && nameBySpecification(pattern, name.slice(1)))
    );
  }
  return (
    name !== "" && pattern[0] === name[0] && nameBySpecification(pattern.slice(1), name.slice(1))
  );
}

const patternSegment = fc.oneof(
  fc.constant("**"),
  fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 5 }),
);
const nameSegment = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 });

describe("glob", () => {
  it.each([
    ["notes/**", "notes/a/b.txt", true],
    ["notes/**", "notes", true],
    ["notes/**", "notesx/a", false],
    ["**", "a/b", true],
    ["**/.env", ".env", true],
    ["**/.env", "a/b/.env", true],
    ["**/.env", "a/.env.local", false],
    ["a/**/z", "a/z", true],
    ["a/**/z", "a/b/c/z", true],
    ["a/**/z", "a/b/c", false],
    ["a/**/m/**/z", "a/x/m/y/z", true],
    ["a/**/m/**/z", "a/m/z", true],
    ["a/**/m/**/z", "a/x/y/z", false],
    ["a/**/a", "a", false],
    ["*.txt", "a.txt", true],
    ["*.txt", "notes/a.txt", false],
    ["*", "a", true],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "acb", false],
    ["a*bb*b", "abb", false],
    ["ab*ba", "aba", false],
    ["a.c", "abc", false],
    ["[ab]", "a", false],
    ["a?", "ab", false],
  ])("%s on %s is %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it("decides as the definition does", () => {
    fc.assert(
      fc.property(
        fc.array(patternSegment, { maxLength: 5 }),
        fc.array(nameSegment, { maxLength: 5 }),
        (pattern, path) => {
          expect(matchesSegments(pattern, path)).toBe(bySpecification(pattern, path));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    ["many stars", "a*".repeat(2000) + "b", "a".repeat(4000)],
    ["many double stars", "**/a/".repeat(800) + "b", "a/".repeat(2000) + "c"],
    [
      "one long run that nearly fits everywhere",
      `**/${"a/".repeat(1000)}b/**`,
      "a/".repeat(2000) + "c",
    ],
  ])("I07: settles %s at once", async (_name, pattern, path) => {
    const spent = await workMs(() => expect(matches(pattern, path)).toBe(false));
    expect(spent).toBeLessThan(10_000);
  });
});
