import { configDefaults, defineConfig } from "vitest/config";

const everywhere = {
  globalSetup: "test/support/suite-directory.ts",
  setupFiles: ["test/support/scan-what-goes.ts", "test/support/patience.ts"],
  expect: { poll: { timeout: 30_000 } },
};

/** Many times what they take: a test that gives up on a busy machine tells nothing. */
const long = { ...everywhere, testTimeout: 900_000, hookTimeout: 300_000 };
/** What it measures is not to be another's. */
const alone = ["test/long/soak.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          // A worker loads the sources once for all of its files: half the time; no test changes what modules hold.
          isolate: false,
          // One fewer would leave a core idle while tests wait for processes.
          maxWorkers: 2,
          include: ["test/**/*.test.ts"],
          ...everywhere,
          exclude: [...configDefaults.exclude, "test/long/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: ["test/long/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...alone],
          ...long,
          // Most of them wait, for processes, timeouts and kills.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: { name: "long, alone", include: alone, ...long, sequence: { groupOrder: 1 } },
      },
    ],
    coverage: { include: ["src/**/*.ts"] },
  },
});
