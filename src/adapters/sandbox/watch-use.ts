import { mostProcesses } from "./program-surroundings.ts";
import { processesIn, residentBytes } from "./process-tree.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Ends a program whose processes are too many or together too large: the limits of one process do not bound many, and the
 *  kernel does not count processes of root. */

const everyMs = 25;
const memoryEveryTicks = 8;
const maxResidentBytes = 2 * 1024 * 1024 * 1024;

/** @returns ends the watch */
export function watchUse(running: SandboxProcess): () => void {
  let tick = 0;
  let isLooking = false;
  const look = async () => {
    if (isLooking || running.firstProcess === undefined) return;
    isLooking = true;
    await stopIfTooMuch(running, running.firstProcess, tick % memoryEveryTicks === 0);
    tick += 1;
    isLooking = false;
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}

async function stopIfTooMuch(
  running: SandboxProcess,
  first: number,
  withMemory: boolean,
): Promise<void> {
  const processes = await processesIn(first);
  if (processes.length > mostProcesses) {
    running.stop({ kind: "over_limit", limit: `${mostProcesses} processes` });
  } else if (withMemory && (await residentBytes(first, processes)) > maxResidentBytes) {
    running.stop({ kind: "over_limit", limit: `${maxResidentBytes} bytes of memory` });
  }
}
