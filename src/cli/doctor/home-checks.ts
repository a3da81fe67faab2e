import { accessSync, chmodSync, constants, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isHome } from "../../config/home.ts";
import { environmentFile } from "../systemd/unit-text.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** The home's directories and the files that hold what nobody else may read. */

const directories = [
  "",
  "config",
  "prompts",
  "workspace",
  "sessions",
  "data",
  "run",
  "logs",
] as const;

export function homeChecks({ context, uid }: Patient): readonly Finding[] {
  const { home } = context;
  if (!isHome(home))
    return [fail("home", `there is none at ${home}`, "`statehive init` makes one")];
  const found = directories.map((name) => directoryFinding(join(home, name), uid));
  const files = [environmentFile(home), join(home, "data", "statehive.db")].flatMap((path) =>
    privateFileFindings(path, uid),
  );
  const wrong = [...found, ...files].filter(({ state }) => state !== "ok");
  return wrong.length === 0 ? [ok("home", `${home}, all directories of this user`)] : wrong;
}

export function directoryFinding(path: string, uid: number | null): Finding {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return warn(path, "is missing", "`statehive init` makes what is missing");
  if (stat.isSymbolicLink()) return ok(path, "is a link");
  if (!stat.isDirectory()) return fail(path, "is not a directory", `move ${path} away`);
  return ownerFinding(path, stat, uid) ?? writableFinding(path) ?? modeFinding(path, stat, 0o700);
}

export function privateFileFindings(path: string, uid: number | null): readonly Finding[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return [];
  return [ownerFinding(path, stat, uid) ?? modeFinding(path, stat, 0o600)];
}

function ownerFinding(path: string, { uid }: Stats, own: number | null): Finding | undefined {
  if (own === null || uid === own) return undefined;
  return fail(path, `belongs to the user ${uid}, not to ${own}`, `chown -R ${own} '${path}'`);
}

function writableFinding(path: string): Finding | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return fail(path, "cannot be written", `chmod u+rwx '${path}'`);
  }
}

function modeFinding(path: string, { mode }: Stats, wanted: number): Finding {
  const present = mode & 0o777;
  const others = present & ~wanted;
  if (others === 0) return ok(path, present.toString(8));
  const found = `has mode ${present.toString(8)}: other users can ${(others & 0o022) === 0 ? "read" : "write"} it`;
  const fix = `chmod ${wanted.toString(8)} '${path}', or \`statehive doctor --fix\``;
  const mend = () => chmodSync(path, wanted);
  const told = (others & 0o022) === 0 ? warn(path, found, fix) : fail(path, found, fix);
  return { ...told, mend };
}
