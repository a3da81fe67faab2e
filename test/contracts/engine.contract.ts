import type { DiskMaker } from "../support/disks.ts";
import { activitiesContract } from "./engine-activities.contract.ts";
import { mailboxContract } from "./engine-mailbox.contract.ts";

/** What every engine keeps: docs/engine.md, sentence by sentence. */
export function engineContract(name: string, makeDisk: DiskMaker): void {
  mailboxContract(name, makeDisk);
  activitiesContract(name, makeDisk);
}
