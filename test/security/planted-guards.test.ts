import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { guards } from "../long/planted-guards/guards.ts";

/** The table of test/long/planted-guards.test.ts, which takes a while, stays true: each line is there once, each case has a test. */

const root = fileURLToPath(new URL("../../", import.meta.url));

it.each(Object.entries(guards))("can be planted: %s", (_what, guard) => {
  const source = readFileSync(`${root}src/${guard.file}`, "utf8");
  expect(source.split(guard.line)).toHaveLength(2);
  expect(readFileSync(`${root}test/${guard.test}.ts`, "utf8")).toContain(guard.caughtBy);
});

it("removes at least twenty guards", () => {
  expect(Object.keys(guards).length).toBeGreaterThanOrEqual(20);
});
