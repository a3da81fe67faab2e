import { readFileSync } from "node:fs";

/** CPU milliseconds of the main thread so far: what a service cannot do anything else in. Linux only. */
export function mainThreadCpu(): number {
  const [nanoseconds = "0"] = readFileSync(
    `/proc/self/task/${process.pid}/schedstat`,
    "utf8",
  ).split(" ");
  return Number(nanoseconds) / 1e6;
}
