import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** Which process holds the lock on a file, asked of the kernel: taking the lock to find out could get in a start's way.
 *  @returns null where nobody holds it, or the system does not tell */
export function lockHolder(path: string): number | null {
  try {
    const { ino } = statSync(path);
    const locks = readFileSync("/proc/locks", "utf8").split("\n");
    const pids = locks.map((line) => holderOf(line, ino)).filter((pid) => pid !== null);
    return pids.find((pid) => hasOpen(pid, path)) ?? null;
  } catch {
    return null;
  }
}

/** `1: POSIX  ADVISORY  WRITE 4711 fd:00:271 1073741824 1073742335` */
function holderOf(line: string, ino: number): number | null {
  const [, , , kind, pid = "", place = ""] = line.trim().split(/\s+/);
  return kind === "WRITE" && place.endsWith(`:${ino}`) ? Number(pid) : null;
}

/** Inode numbers are only unique on one disk. */
function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((name) => linkIs(`${folder}/${name}`, path));
}

function linkIs(link: string, path: string): boolean {
  try {
    return readlinkSync(link) === path;
  } catch {
    return false;
  }
}
