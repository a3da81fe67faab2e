import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { resolve, sep } from "node:path";
import { filesWithCanaries } from "./canaries.ts";

/** Each directory that a test takes away, with all that services left in it, is looked through before it goes. The test fails that
 *  leaves a secret of the environment behind. What remains at the end is looked through by suite-directory.ts. */

const patched = Symbol.for("statehive.scan-what-goes");

function refuseSecretsIn(path: fs.PathLike, options?: fs.RmOptions): void {
  if (options?.recursive !== true || typeof path !== "string") return;
  if (!resolve(path).startsWith(tmpdir() + sep)) return;
  const found = filesWithCanaries(path);
  if (found.length > 0)
    throw new Error(`A secret of the environment is left in ${found.join(", ")}`);
}

if (!(patched in fs)) {
  const { rmSync } = fs;
  const { rm } = fs.promises;
  fs.rmSync = (path, options) => {
    refuseSecretsIn(path, options);
    rmSync(path, options);
  };
  fs.promises.rm = async (path, options) => {
    refuseSecretsIn(path, options);
    await rm(path, options);
  };
  Object.defineProperty(fs, patched, { value: true });
  syncBuiltinESMExports();
}
