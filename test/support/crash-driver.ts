import { EngineCrash } from "../../src/engine/transaction.ts";
import { AgentError } from "../../src/schema/errors.ts";
import type { Disk } from "./disks.ts";

/** Plays one scenario once for each place where a process can die, and on to its end. */

export type CrashScenario<R> = {
  readonly makeDisk: () => Promise<Disk>;
  /** Made anew for each of its runs. @returns what plays the scenario on what the disk holds, from wherever it was */
  readonly stage: () => (disk: Disk, faultPoint: (label: string) => void) => Promise<R>;
};

export type CrashedPlay<R> = {
  readonly crashedAt: string;
  readonly deaths: number;
  readonly result: R;
};

/** @returns one entry for each label that an undisturbed play passes, in order */
export async function crashEverywhere<R>(scenario: CrashScenario<R>): Promise<CrashedPlay<R>[]> {
  const labels: string[] = [];
  await playOnce(scenario, (label) => void labels.push(label));
  const plays: CrashedPlay<R>[] = [];
  for (let point = 1; point <= labels.length; point += 1)
    plays.push(await crashAt(scenario, point));
  return plays;
}

async function crashAt<R>(scenario: CrashScenario<R>, point: number): Promise<CrashedPlay<R>> {
  let passed = 0;
  let crashedAt = "nowhere";
  const played = await playOnce(scenario, (label) => {
    passed += 1;
    if (passed !== point) return;
    crashedAt = `${point}: ${label}`;
    throw new EngineCrash(label);
  });
  return { crashedAt, ...played };
}

async function playOnce<R>(
  { makeDisk, stage }: CrashScenario<R>,
  faultPoint: (label: string) => void,
): Promise<{ readonly deaths: number; readonly result: R }> {
  const disk = await makeDisk();
  const play = stage();
  try {
    for (let deaths = 0; ; deaths += 1) {
      const end = await play(disk, faultPoint).then(survived, died);
      if (end !== undefined) return { deaths, result: end.result };
      await disk.crash();
    }
  } finally {
    await disk.dispose();
  }
}

const survived = <R>(result: R) => ({ result });

function died(error: unknown): undefined {
  if (error instanceof AgentError && error.code === "engine.closed") return undefined;
  throw error;
}
