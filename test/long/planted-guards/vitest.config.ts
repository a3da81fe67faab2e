import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import type { Reporter, TestCase } from "vitest/node";
import { casesIn } from "./cases-in.ts";
import { type Guard, guards } from "./guards.ts";

/** One project for each missing guard: the sources as they are but for one line, and the tests that must notice. */

const root = fileURLToPath(new URL("../../../", import.meta.url));

export type Seen = {
  readonly project: string;
  readonly cases: readonly string[];
  readonly state: string;
};

/** Tests that ran, written where PLANTED_REPORT says. */
class Report implements Reporter {
  private readonly seen: Seen[] = [];

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    const cases = casesIn(test.fullName.split(" > "));
    if (state !== "skipped") this.seen.push({ project: test.project.name, cases, state });
  }

  onTestRunEnd(): void {
    writeFileSync(process.env["PLANTED_REPORT"] ?? "report.json", JSON.stringify(this.seen));
  }
}

const shared = {
  root,
  isolate: false,
  testTimeout: 10_000,
  setupFiles: join(import.meta.dirname, "only-case.ts"),
} as const;

function without([name, guard]: [string, Guard]): TestProjectInlineConfiguration {
  const file = join(root, "src", guard.file);
  return {
    plugins: [
      {
        name: "plant",
        enforce: "pre",
        transform: (code, id) =>
          id === file ? code.replace(guard.line, () => guard.instead) : undefined,
      },
    ],
    test: {
      ...shared,
      name,
      include: [`test/${guard.test}.ts`],
      env: { PLANTED_CASES: guard.caughtBy },
    },
  };
}

const untouched: TestProjectInlineConfiguration = {
  test: {
    ...shared,
    setupFiles: [shared.setupFiles, join(root, "test/support/patience.ts")],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    name: "nothing",
    include: [...new Set(Object.values(guards).map(({ test }) => `test/${test}.ts`))],
    env: {
      PLANTED_CASES: Object.values(guards)
        .map(({ caughtBy }) => caughtBy)
        .join(),
    },
  },
};

export default defineConfig({
  test: {
    reporters: [new Report()],
    projects: [untouched, ...Object.entries(guards).map(without)],
  },
});
