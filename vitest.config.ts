import { configDefaults, defineConfig } from "vitest/config";

const lookForSecrets = {
  globalSetup: "test/support/suite-directory.ts",
  setupFiles: "test/support/scan-what-goes.ts",
};

const long = { ...lookForSecrets, testTimeout: 300_000, hookTimeout: 60_000 };
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
          ...lookForSecrets,
          exclude: [...configDefaults.exclude, "test/long/**"],
          testTimeout: 20_000,
          hookTimeout: 20_000,
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
