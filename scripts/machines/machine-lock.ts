import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyStateMachine } from "xstate";
import { z } from "zod";
import type { MachineFile } from "./load-machines.ts";

const machineLock = z.record(
  z.string(),
  z.strictObject({ version: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
);

/** The chart that each version of a machine stands for, by machine id. */
export type MachineLock = z.infer<typeof machineLock>;

const lockFile = "machines.lock.json";

export function readLock(root: string): MachineLock {
  const path = join(root, lockFile);
  return existsSync(path) ? machineLock.parse(JSON.parse(readFileSync(path, "utf8"))) : {};
}

export function writeLock(root: string, lock: MachineLock): void {
  writeFileSync(join(root, lockFile), `${JSON.stringify(lock, null, 2)}\n`);
}

/** Drops functions, whose text depends on the compiler, and sorts keys except where their order has a meaning. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => typeof child !== "function")
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, child]) => [key, canonical(child)]),
  );
}

/** Changes with the chart and with the names of what it does, not with how an action or guard is written. */
export function chartHash(machine: AnyStateMachine): string {
  const { version: _, schemas: __, ...chart }: Record<string, unknown> = machine.config;
  const names = Object.entries(machine.implementations).map(([kind, implementations]) => [
    kind,
    Object.keys(implementations).toSorted(),
  ]);
  const text = JSON.stringify([canonical(chart), canonical(Object.fromEntries(names))]);
  return createHash("sha256").update(text).digest("hex");
}

export type LockReview = {
  /** What the lock should say; refused machines keep their old entry. */
  readonly lock: MachineLock;
  /** Charts that changed under a version that may be stored in somebody's database already. */
  readonly refused: readonly string[];
  /** Entries that `npm run machines:lock` brings up to date. */
  readonly outdated: readonly string[];
};

/** Holds the machines against the lock: new and bumped ones are taken up, silently changed ones refused. */
export function reviewLock(locked: MachineLock, machines: readonly MachineFile[]): LockReview {
  const refused: string[] = [];
  const outdated: string[] = [];
  const lock: MachineLock = {};
  for (const { file, machine } of machines) {
    const before = locked[machine.id];
    const now = { version: machine.version ?? "", hash: chartHash(machine) };
    const isUnbumped = before?.version === now.version && before.hash !== now.hash;
    if (isUnbumped) refused.push(`the chart of ${machine.id} changed: bump version in ${file}`);
    else if (before?.version !== now.version)
      outdated.push(`${machine.id} is not in the lock at version ${now.version}`);
    lock[machine.id] = isUnbumped ? before : now;
  }
  const gone = Object.keys(locked).filter((id) => !(id in lock));
  return {
    lock,
    refused,
    outdated: [...outdated, ...gone.map((id) => `${id} is locked, but gone`)],
  };
}
