import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Each attack that statehive promises to withstand is a test whose name begins with its id.
 *  P13 to P15 need skills and attachments, which do not exist yet. */

const cases = {
  P: "paths and links: 01 02 03 04 05 06 07 08 09 10 11 12 16",
  H: "commands: 01 04 05 07 08 09 11 12 13 14 15",
  Y: "YAML: 01 02 03 04 05",
  I: "hostile input: 01 02 03 04 05 07",
  L: "terminal, log and secrets: 01 02 03 04 05",
} as const;

const wanted = Object.entries(cases).flatMap(([family, text]) =>
  (text.match(/\b\d\d\b/g) ?? []).map((number) => `${family}${number}`),
);

const tests = fileURLToPath(new URL("..", import.meta.url));
const namedTest = /\(\s*["'`]((?:[A-Z]\d\d(?:, )?)+):/g;
const tableRow = /^\s*\[\s*["'`]((?:[A-Z]\d\d(?:, )?)+):/gm;

function idsIn(source: string): string[] {
  const names = [...source.matchAll(namedTest), ...source.matchAll(tableRow)];
  return names.flatMap(([, ids = ""]) => ids.split(", "));
}

it("has a test for each attack case that is promised", () => {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:test|contract)\.ts$/.test(path))
    .map((path) => readFileSync(join(tests, path), "utf8"));
  const found = new Set(files.flatMap(idsIn));
  expect(wanted.filter((id) => !found.has(id))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(35);
});

it("finds an id only where a test bears it", () => {
  expect(idsIn('it("P01: a"); describe.skipIf(x)("H02, H03: b"); // it is P04: c')).toEqual([
    "P01",
    "H02",
    "H03",
  ]);
});
