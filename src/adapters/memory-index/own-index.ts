import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AgentError } from "../../schema/errors.ts";
import { acquireOwnerLock, type OwnerLock } from "../engine/libsql-lock.ts";
import { inMemory, makeDirectoryOf, unusable } from "./index-place.ts";

/** An index has one owner at a time: two would call different chunks by the same number. */

/** Of this process; it must not even look at these files a second time, as closing them would free their locks. */
const owned = new Set<string>();

/** @throws AgentError `index.unavailable` */
export async function ownIndex(file: string): Promise<OwnerLock> {
  if (file === inMemory) return { release: async () => {} };
  makeDirectoryOf(file);
  const path = realPathOf(file);
  if (owned.has(path)) throw inUse(file, "this process");
  owned.add(path);
  try {
    const lock = await acquireOwnerLock(`${path}.owner`);
    return {
      release: async () => {
        await lock.release();
        owned.delete(path);
      },
    };
  } catch (error) {
    owned.delete(path);
    const isHeld = error instanceof AgentError && error.code === "engine.in_use";
    throw isHeld ? inUse(file, "another process") : unusable(`${file}.owner`, error);
  }
}

/** By whatever name it is called. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT"))
      throw unusable(file, error);
    return join(realpathSync(dirname(file)), basename(file));
  }
}

function inUse(file: string, by: string): AgentError {
  return new AgentError("index.unavailable", `${file} is open already, in ${by}`, {
    retryable: true,
    hint: "an index has one owner: use the one that is open, close it first, or take another file",
  });
}
