import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { errnoOf } from "../schema/errno.ts";
import { AgentError } from "../schema/errors.ts";
import type { Environment } from "./environment.ts";

/** Where a home is, and how one comes into being from the defaults that ship with the package. */

export type HomeWanted = {
  readonly flag?: string | undefined;
  readonly env: Environment;
  readonly homedir: string;
};

export type InitReport = {
  readonly home: string;
  /** Relative to the home, sorted. */
  readonly written: readonly string[];
  /** Files that were there before and were left as they are. */
  readonly kept: readonly string[];
};

const shippedFolders = ["config", "prompts"] as const;
/** The package's folder and, for editors, its copy in the home; hidden, so that no YAML is looked for in it. */
const schemas = { shipped: "docs/schema", copied: "config/.schema" } as const;
const homeFolders = [
  "",
  "config",
  "prompts",
  "workspace",
  "sessions",
  "data",
  "run",
  "logs",
] as const;
const defaultAgentId = "main";

/** `--home`, else STATEHIVE_HOME, else `~/.statehive`; absolute. */
export function resolveHome({ flag, env, homedir }: HomeWanted): string {
  if (flag?.trim() === "") throw new AgentError("usage", "--home needs a directory, but is empty");
  const wanted = flag ?? (env["STATEHIVE_HOME"] || usualHome(homedir));
  if (wanted.includes("\0"))
    throw new AgentError("home.invalid", "the home directory's name holds a NUL character");
  return resolve(wanted.replace(/^~(?=\/|$)/, homedir));
}

/** An empty HOME would put the home wherever somebody happens to stand. */
function usualHome(homedir: string): string {
  if (isAbsolute(homedir)) return join(homedir, ".statehive");
  throw new AgentError("home.invalid", "there is no home directory: the variable HOME is empty", {
    hint: "set HOME, or name the directory with --home or STATEHIVE_HOME",
  });
}

/** Whether `dir` was set up once; a directory without `config/` is no home yet. */
export function isHome(dir: string): boolean {
  return existsSync(join(dir, "config"));
}

/** Writes what is missing, overwrites nothing that is somebody's, and may be repeated at will.
 *  @throws AgentError `home.invalid` */
export function initHome(dir: string): InitReport {
  const home = resolve(dir);
  makeHomeDirectories(home, [defaultAgentId]);
  const written: string[] = [];
  const kept: string[] = [];
  for (const path of shippedFolders.flatMap((folder) => filesBelow(folder))) {
    const isNew = writeNew(join(home, path), readFileSync(join(packageRoot(), path)));
    (isNew ? written : kept).push(path);
  }
  writeSchemas(home);
  return { home, written, kept };
}

/** The directories that the service writes to, private to this user; also those that `init` made once and somebody removed.
 *  @throws AgentError `home.invalid` */
export function makeHomeDirectories(home: string, agentIds: readonly string[]): void {
  for (const folder of [...homeFolders, ...agentIds.map((id) => join("workspace", id))])
    makeDirectory(join(home, folder));
  onHome(home, () => chmodSync(join(home, "run"), 0o700));
}

/** The package's directory, from src/config as from dist/config. */
export function packageRoot(): string {
  return fileURLToPath(new URL("../../", import.meta.url));
}

/** Always those of this version: nobody's own. */
function writeSchemas(home: string): void {
  const folder = join(home, schemas.copied);
  makeDirectory(folder);
  for (const path of filesBelow(schemas.shipped)) {
    const content = readFileSync(join(packageRoot(), path));
    const copy = join(folder, basename(path));
    onHome(copy, () => {
      rmSync(copy, { force: true });
      writeFileSync(copy, content, { flag: "wx", mode: 0o600 });
    });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packageRoot().length))
    .toSorted();
}

function writeNew(path: string, content: Uint8Array): boolean {
  makeDirectory(dirname(path));
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return false;
    throw cannotWrite(path, thrown);
  }
}

function makeDirectory(path: string): void {
  onHome(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
  if (!statSync(path).isDirectory())
    throw new AgentError("home.invalid", `${path} is not a directory`);
}

function onHome(path: string, work: () => void): void {
  try {
    work();
  } catch (thrown) {
    throw cannotWrite(path, thrown);
  }
}

function cannotWrite(path: string, thrown: unknown): AgentError {
  return new AgentError(
    "home.invalid",
    `${path} cannot be written (${errnoOf(thrown) ?? "unknown"})`,
    {
      cause: thrown,
      hint: "choose another directory with --home or STATEHIVE_HOME",
    },
  );
}
