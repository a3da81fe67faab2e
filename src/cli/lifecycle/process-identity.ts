import { readFileSync } from "node:fs";
import { errnoOf } from "../../schema/errno.ts";

/** A process that cannot be mistaken for a later one with the same number. */
export type ProcessIdentity = {
  readonly pid: number;
  /** When the kernel started it, in clock ticks since boot; null where the system does not tell. */
  readonly started: string | null;
};

const stateField = 0;
const startedField = 19;
const endedStates = ["Z", "X", "x"];

/** Null when no such process lives; a zombie does not live. */
export function identify(pid: number): ProcessIdentity | null {
  const fields = statFields(pid);
  if (fields === undefined) return isSignallable(pid) ? { pid, started: null } : null;
  if (endedStates.includes(fields[stateField] ?? "")) return null;
  return { pid, started: fields[startedField] ?? null };
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  const now = identify(pid);
  if (now === null) return false;
  return started === null || now.started === null || now.started === started;
}

/** The fields of /proc/PID/stat behind the command's name, which may hold spaces and brackets. */
function statFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch (error) {
    return isMissing(error) ? undefined : [];
  }
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ESRCH"].includes(errnoOf(error) ?? "");
}

function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}
