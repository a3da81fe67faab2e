import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { systemPath } from "./program-surroundings.ts";

/** Whether a program is where the sandbox looks for programs. */
export function isInstalled(program: string): boolean {
  return systemPath.split(":").some((directory) => isExecutable(join(directory, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
