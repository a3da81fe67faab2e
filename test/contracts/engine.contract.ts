import type { DiskMaker } from "../support/disks.ts";
import { activitiesContract } from "./engine-activities.contract.ts";
import { failureContract } from "./engine-failure.contract.ts";
import { mailboxContract } from "./engine-mailbox.contract.ts";
import { queuesContract } from "./engine-queues.contract.ts";
import { rowsContract } from "./engine-rows.contract.ts";
import { sendersContract } from "./engine-senders.contract.ts";
import { versionsContract } from "./engine-versions.contract.ts";
import { waitingContract } from "./engine-waiting.contract.ts";

/** What every engine keeps: docs/engine.md, sentence by sentence. */
export function engineContract(name: string, makeDisk: DiskMaker): void {
  mailboxContract(name, makeDisk);
  activitiesContract(name, makeDisk);
  rowsContract(name, makeDisk);
  failureContract(name, makeDisk);
  versionsContract(name, makeDisk);
  sendersContract(name, makeDisk);
  waitingContract(name, makeDisk);
  queuesContract(name, makeDisk);
}
