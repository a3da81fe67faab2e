import { hostileInputs } from "./support/hostile-inputs.ts";
import { numbersOf, printTable } from "./support/measure.ts";

/** What text of strangers costs a character, from 1 KB to 1 MB: where that stays the same, the work is linear. */

const { most, repetitions } = numbersOf({ most: 1 << 20, repetitions: 5 });
const longestMs = 5_000;

const sizes: number[] = [];
for (let size = 1024; size <= most; size *= 2) sizes.push(size);
const shown = sizes.filter((_, at) => at % 2 === 0 || at === sizes.length - 1);

function fastestMs(read: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const from = performance.now();
    read();
    fastest = Math.min(fastest, performance.now() - from);
    if (fastest > longestMs / repetitions) break;
  }
  return fastest;
}

/** Of the last two doublings that took long enough to be measured. */
function growth(times: readonly number[]): string {
  const seen = times.filter((ms) => ms > 0.02);
  const [before, last] = [seen.at(-3), seen.at(-1)];
  if (before === undefined || last === undefined) return "-";
  return `n^${(Math.log2(last / before) / 2).toFixed(2)}`;
}

const rows = [["nanoseconds a character", ...shown.map((size) => `${size / 1024} KB`), "grows as"]];
for (const { name, of } of hostileInputs) {
  const warm = of(1024);
  for (let at = 0; at < 200; at += 1) warm();
  const times: number[] = [];
  for (const size of sizes) {
    if ((times.at(-1) ?? 0) > longestMs) break;
    times.push(fastestMs(of(size)));
  }
  const cells = shown.map((size) => {
    const ms = times[sizes.indexOf(size)];
    return ms === undefined ? "too long" : ((ms / size) * 1e6).toFixed(1);
  });
  rows.push([name, ...cells, growth(times)]);
}
printTable(rows);
