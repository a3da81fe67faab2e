/** Numbers from a noisy machine: medians of interleaved rounds, CPU time before wall time. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** CPU milliseconds of this process, user and system, while `work` ran. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function heapUsed(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Numeric `--name value` pairs of the command line over their defaults. */
export function numbersOf<T extends Record<string, number>>(defaults: T): T {
  const given = process.argv.slice(2);
  const entries = Object.entries(defaults).map(([name, value]) => {
    const at = given.indexOf(`--${name}`);
    return [name, at < 0 ? value : Number(given[at + 1])];
  });
  return Object.fromEntries(entries) as T;
}

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
