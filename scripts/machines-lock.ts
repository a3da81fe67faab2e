import { loadMachines } from "./machines/load-machines.ts";
import { readLock, reviewLock, writeLock } from "./machines/machine-lock.ts";
import { reportFaults } from "./report-faults.ts";

const root = process.cwd();
const { lock, refused, outdated } = reviewLock(readLock(root), await loadMachines(root));
writeLock(root, lock);
for (const change of outdated) console.log(`locked: ${change}`);
reportFaults("machines.lock.json", refused);
