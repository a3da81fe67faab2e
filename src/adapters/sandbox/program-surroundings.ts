import { accessSync, constants, statSync } from "node:fs";

/** What every program of an agent gets, in a sandbox or without one: a path, an environment made from nothing, and limits. */

/** Only what root owns: no program of the workspace can stand in for one of the system's. */
export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export const programEnvironment = {
  PATH: systemPath,
  HOME: "/tmp",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  TERM: "dumb",
  NO_COLOR: "1",
} as const;

const mebibyte = 1024 * 1024;

export const mostProcesses = 256;

const processLimits = {
  /** Private writable memory. Not the address space, of which Node, Java and Go reserve far more than they use. */
  data: 768 * mebibyte,
  fsize: 128 * mebibyte,
  nofile: 1024,
  core: 0,
} as const;

function prlimit(limits: Readonly<Record<string, number>>): string[] {
  return ["prlimit", ...Object.entries(limits).map(([name, value]) => `--${name}=${value}`), "--"];
}

/** The words that run a program under its limits, inside, where the processes of others do not count. It yields to the first
 *  process of its sandbox: among thousands of a fork bomb's that one would not get the time to end. */
export function limited(program: readonly string[]): readonly string[] {
  const limits = { ...processLimits, nproc: mostProcesses };
  return ["chrt", "--idle", "0", ...prlimit(limits), ...program];
}

/** The same where the kernel would count all processes of the service's user. */
export function limitedAmongOthers(program: readonly string[]): readonly string[] {
  return [...prlimit(processLimits), ...program];
}

/** Which file a program's name means on the system's path; a name with a slash means itself. */
export function findProgram(name: string): string | undefined {
  if (name.includes("/")) return name;
  return systemPath
    .split(":")
    .map((directory) => `${directory}/${name}`)
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
