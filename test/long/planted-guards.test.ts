import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { guards } from "./planted-guards/guards.ts";
import type { Seen } from "./planted-guards/vitest.config.ts";

/** Services that lack one guard each: the case that stands for it must notice, and nothing fails where none is missing. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const config = join(import.meta.dirname, "planted-guards/vitest.config.ts");

let seen: readonly Seen[];

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), "statehive-guards-"));
  const report = join(directory, "report.json");
  await new Promise<void>((resolve) => {
    const words = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", config];
    const env = { ...process.env, PLANTED_REPORT: report };
    execFile(process.execPath, words, { cwd: root, env }, () => resolve());
  });
  seen = JSON.parse(readFileSync(report, "utf8")) as readonly Seen[];
  rmSync(directory, { recursive: true });
}, 900_000);

it("fails nowhere where no guard is missing", () => {
  const untouched = seen.filter(({ project }) => project === "nothing");
  const cases = new Set(untouched.flatMap((test) => test.cases));
  expect(Object.values(guards).filter(({ caughtBy }) => !cases.has(caughtBy))).toEqual([]);
  expect(untouched.filter(({ state }) => state === "failed")).toEqual([]);
});

it.each(Object.keys(guards))("is noticed: %s", (whatIsMissing) => {
  const failed = seen.filter(
    ({ project, state }) => project === whatIsMissing && state === "failed",
  );
  expect(failed.flatMap(({ cases }) => cases)).toContain(guards[whatIsMissing]?.caughtBy);
});
