import { writeFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";

/** The processes of one sandbox as the host sees them, by the process that is the first one inside. */

const digits = /^\d+$/;
const zombie = "Z";
const longestPauseMs = 50;

async function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

/** A zombie has ended, and with the first process of a namespace all others have. */
async function isGone(first: number): Promise<boolean> {
  const line = await textOf(`/proc/${first}/stat`);
  const state = line.charAt(line.lastIndexOf(")") + 2);
  return line === "" || state === zombie;
}

/** Resolves when the first process and with it every other is gone; that is so soon after it was killed. */
export async function untilGone(first: number): Promise<void> {
  for (let pauseMs = 1; !(await isGone(first)); pauseMs = Math.min(pauseMs * 2, longestPauseMs))
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
}

/** Of root's processes the kernel counts none, so the service must get the time to count them and to end them, whatever they
 *  do. Where sessions share the processor as groups, this one gets a tenth of what it would get. */
export function putBehindService(first: number): void {
  if (process.getuid?.() !== 0) return;
  try {
    writeFileSync(`/proc/${first}/autogroup`, "10");
  } catch {
    return; // Sessions are no groups here: then the program's idle priority does it.
  }
}

/** The numbers of all processes inside, from the sandbox's own /proc. None before that is mounted, while the host's still
 *  stands there, and where it cannot be read. */
export async function processesIn(first: number): Promise<readonly string[]> {
  const inside = `/proc/${first}/root/proc`;
  try {
    const [own, host] = await Promise.all([stat(inside), stat("/proc")]);
    const names = own.dev === host.dev ? [] : await readdir(inside);
    return names.filter((name) => digits.test(name));
  } catch {
    return [];
  }
}

/** Memory that is theirs alone, in bytes. */
export async function residentBytes(first: number, processes: readonly string[]): Promise<number> {
  const statuses = await Promise.all(
    processes.map((name) => textOf(`/proc/${first}/root/proc/${name}/status`)),
  );
  const kilobytes = statuses.flatMap((status) => [
    ...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm),
  ]);
  return kilobytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0);
}
