import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathOfUrl } from "../../adapters/libsql/libsql-file.ts";
import { acquireOwnerLock, type OwnerLock } from "../../adapters/engine/libsql-lock.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import { AgentError } from "../../schema/errors.ts";

type EngineConfig = HiveConfig["engine"];

/** The home and its database, for one service at a time: another home may name the same file.
 *  @throws AgentError engine.in_use, home.invalid */
export async function takeOwnership(homeLock: string, engine: EngineConfig): Promise<OwnerLock> {
  const home = await acquireOwnerLock(homeLock);
  try {
    const database = await lockDatabase(engine);
    return {
      release: async () => {
        await database?.release();
        await home.release();
      },
    };
  } catch (error) {
    await home.release();
    throw error;
  }
}

async function lockDatabase({ type, url }: EngineConfig): Promise<OwnerLock | undefined> {
  if (type === "memory" || !url.startsWith("file:")) return undefined;
  const file = realFile(pathOfUrl(url));
  if (file === undefined) return undefined;
  return acquireOwnerLock(`${file}.owner`).catch((error: unknown) => {
    throw isInUse(error) ? databaseInUse(file, error) : error;
  });
}

/** Whatever links lead to it; undefined where it can not be: whoever opens it says why. */
function realFile(path: string): string | undefined {
  if (existsSync(path)) return realpathSync(path);
  const directory = dirname(path);
  return existsSync(directory) ? join(realpathSync(directory), basename(path)) : undefined;
}

export function isInUse(error: unknown): boolean {
  return error instanceof AgentError && error.code === "engine.in_use";
}

function databaseInUse(file: string, cause: unknown): AgentError {
  return new AgentError("engine.in_use", `the service of another home works on ${file}`, {
    hint: "stop it, or name another file under `engine.url` in config/main.yaml",
    cause,
  });
}
