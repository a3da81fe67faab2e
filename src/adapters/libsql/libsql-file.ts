import { closeSync, openSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AgentError } from "../../schema/errors.ts";

/** The absolute path in a `file:` URL. */
export function pathOfUrl(url: string): string {
  if (url.startsWith("file:/")) return fileURLToPath(new URL(url));
  throw new AgentError("config.invalid", `${url} is not a file: URL with an absolute path`, {
    hint: "write file:/absolute/path/to/statehive.db",
  });
}

/** What SQLite opens without ever creating or writing the file. */
export function readOnlyName(path: string): string {
  return `${pathToFileURL(path).href}?mode=ro`;
}

/** The same for a file that nobody writes and that has no log beside it: nothing is made or locked, so that a directory
 *  which cannot be written will do. */
export function unchangingName(path: string): string {
  return `${readOnlyName(path)}&immutable=1`;
}

/** Bytes of the file; undefined when there is none. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Makes the file if there is none, for its owner alone; SQLite gives the files beside it the same mode. */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new AgentError("store.unavailable", `${path} cannot be made: ${String(error)}`, {
      retryable: true,
      cause: error,
    });
  }
}
