import { readdirSync, readFileSync } from "node:fs";

/** Descriptors that this process got from whoever started it would reach every program that it starts. */

const closeOnExec = 0o2000000;

function isPassedOn(descriptor: string): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"));
    return flags !== null && (Number.parseInt(flags[1] ?? "", 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

/** The stdio of a program, with this in the place of each inherited descriptor beyond it.
 *  @param stand a descriptor of /dev/null */
export function coveringInherited<Entry>(
  stdio: readonly Entry[],
  stand: number,
): (Entry | number | "ignore")[] {
  const passed = new Set(readdirSync("/proc/self/fd").filter(isPassedOn).map(Number));
  const count = Math.max(stdio.length, ...[...passed].map((descriptor) => descriptor + 1));
  return Array.from(
    { length: count },
    (_, descriptor) => stdio[descriptor] ?? (passed.has(descriptor) ? stand : "ignore"),
  );
}
