import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The work may make a directory of its own in the gap; it makes way for the one that was put aside. */
const swapUntilTold = `
  const { existsSync, renameSync, rmSync, symlinkSync } = require("node:fs");
  const { workerData, parentPort } = require("node:worker_threads");
  const { directory, target, told } = workerData;
  const aside = directory + ".aside";
  parentPort.postMessage("ready");
  while (Atomics.load(told, 0) === 0) {
    try {
      if (!existsSync(aside)) renameSync(directory, aside);
      symlinkSync(target, directory);
      Atomics.add(told, 1, 1);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    try {
      rmSync(directory, { recursive: true, force: true });
      renameSync(aside, directory);
    } catch (error) {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    }
  }
  parentPort.postMessage("ended");
`;

/** Repeats `round` while another thread swaps `directory` with a link to `target`, until it did so `swaps` times
 *  and a round found that it has seen enough. */
export async function whileSwapping(
  race: { readonly directory: string; readonly target: string; readonly swaps: number },
  round: () => Promise<boolean>,
): Promise<void> {
  const told = new Int32Array(new SharedArrayBuffer(8));
  const { directory, target } = race;
  const worker = new Worker(swapUntilTold, { eval: true, workerData: { directory, target, told } });
  await once(worker, "message");
  try {
    let enough = false;
    while (!enough || Atomics.load(told, 1) < race.swaps) enough = await round();
  } finally {
    Atomics.store(told, 0, 1);
  }
  await once(worker, "message");
  await worker.terminate();
}
