import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Each attack that statehive promises to withstand is a test whose name begins with its id, or is named here with what it waits for. */

/** How many cases a family has. */
const families = {
  P: 16, // paths and links
  S: 15, // addresses on the web
  H: 15, // commands
  A: 13, // approvals
  Y: 5, // YAML
  I: 7, // hostile input
  L: 7, // terminal, log, audit, secrets
  J: 5, // what foreign text makes a model do
  C: 12, // the socket, and the page of the inspector
  T: 9, // what comes in over channels
  M: 5, // memory
} as const;

/** Grants that outlive what they were given for; the rest of their family is about sub-agents. */
const grantCases = ["G05", "G06", "G07"];

const notYet: { readonly [id: string]: string } = {
  P13: "There are no skills: no folder of them is read.",
  P14: "Nothing can be installed: neither archives nor skills are unpacked.",
  P15: "Nothing sends attachments: a reply is text.",
};

const idOf = (family: string, number: number) => `${family}${String(number).padStart(2, "0")}`;

const promised = [
  ...Object.entries(families).flatMap(([family, count]) =>
    Array.from({ length: count }, (_, index) => idOf(family, index + 1)),
  ),
  ...grantCases,
];

const tests = fileURLToPath(new URL("..", import.meta.url));
const namedTest = /\(\s*["'`]((?:[A-Z]\d\d(?:, )?)+):/g;
const tableRow = /^\s*\[\s*["'`]((?:[A-Z]\d\d(?:, )?)+):/gm;
const neverRun = /\.(?:skip|todo)\(\s*["'`][A-Z]\d\d/;

function idsIn(source: string): string[] {
  const names = [...source.matchAll(namedTest), ...source.matchAll(tableRow)];
  return names.flatMap(([, ids = ""]) => ids.split(", "));
}

const sources = readdirSync(tests, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(?:test|contract)\.ts$/.test(path))
  .filter((path) => basename(path) !== basename(import.meta.url))
  .map((path) => ({ path, source: readFileSync(join(tests, path), "utf8") }));

const tested = new Set(sources.flatMap(({ source }) => idsIn(source)));

it("has a test for each attack case that is promised, or says what it waits for", () => {
  expect(promised.filter((id) => !tested.has(id) && notYet[id] === undefined)).toEqual([]);
});

it("names as waiting only what is promised and has no test", () => {
  expect(Object.keys(notYet).filter((id) => tested.has(id) || !promised.includes(id))).toEqual([]);
});

it("knows each case that a test bears in its name, and runs it", () => {
  expect([...tested].filter((id) => !promised.includes(id))).toEqual([]);
  expect(sources.filter(({ source }) => neverRun.test(source)).map(({ path }) => path)).toEqual([]);
});

it("finds an id only where a test bears it", () => {
  expect(idsIn('it("P01: a"); describe.skipIf(x)("H02, H03: b"); // it is P04: c')).toEqual([
    "P01",
    "H02",
    "H03",
  ]);
  expect(neverRun.test('it.skip("P01: a")')).toBe(true);
});
