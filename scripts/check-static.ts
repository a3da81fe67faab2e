import { spawnSync } from "node:child_process";

/** Runs every check but the tests, all of them even when one fails, and says which failed. */
const checks = ["format", "lint", "types", "layers", "generated", "unused", "package"];

const failed = checks.filter((check) => {
  console.log(`\n# check:${check}`);
  return spawnSync("npm", ["run", "-s", `check:${check}`], { stdio: "inherit" }).status !== 0;
});

console.log(failed.length === 0 ? "\nall checks passed" : `\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
