import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Compiles the benches as the product is compiled, then runs one: `npm run bench -- tool-round --runs 40`. */

const [name = "", ...args] = process.argv.slice(2);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = (command: string, words: readonly string[]) =>
  spawnSync(command, words, {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  }).status ?? 1;

if (!existsSync(here(`./${name}.ts`)) || name === "") {
  console.error("usage: npm run bench -- <name of a file in bench/> [its arguments]");
  process.exitCode = 2;
} else {
  run(here("../node_modules/.bin/tsc"), ["-p", here("./tsconfig.json")]);
  const compiled = here(`./dist/bench/${name}.js`);
  process.exitCode = run(process.execPath, ["--expose-gc", compiled, ...args]);
}
