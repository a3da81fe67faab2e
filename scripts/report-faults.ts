/** Prints what a check found and sets the exit code. */
export function reportFaults(check: string, faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  console.log(`${check}: ${faults.length === 0 ? "ok" : `${faults.length} faults`}`);
  if (faults.length > 0) process.exitCode = 1;
}
