import { accessSync, constants, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { fail, type Finding, ok } from "./finding.ts";
import type { Patient } from "./patient.ts";

/** Whether the service could say what happens to it. */
export function logChecks({ config, context }: Patient): readonly Finding[] {
  if (config === null) return [];
  const { log } = context.paths;
  const isThere = lstatSync(log, { throwIfNoEntry: false }) !== undefined;
  const place = isThere ? log : dirname(log);
  try {
    accessSync(place, constants.W_OK);
    if (isThere && !lstatSync(log).isFile()) return [notWritable(log, "it is not a file")];
    return [ok("log", log)];
  } catch (error) {
    return [notWritable(place, error instanceof Error ? error.message : String(error))];
  }
}

function notWritable(path: string, reason: string): Finding {
  return fail(
    "log",
    `${path} cannot be written: ${reason}`,
    `chown and chmod u+w '${path}', or move it away`,
  );
}
