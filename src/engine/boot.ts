import { type ErrorData, toErrorData } from "../schema/errors.ts";
import type { Address } from "../schema/events/event.ts";
import { setAside } from "./life/burial.ts";
import type { BootReport } from "./engine.ts";
import type { MachineRegistry } from "./machine-registry.ts";
import { storeMail } from "./mail/mailbox.ts";
import type { Scene } from "./scene.ts";
import { activityTable, type ActorRow, actorTable, mailTable, timerTable } from "./tables.ts";
import type { Transaction } from "./transaction.ts";

export type Stock = {
  readonly report: BootReport;
  /** Rows of the mailbox, in order. */
  readonly mail: readonly number[];
};

/** What a start finds: which versions live, open activities, unread mail, due timers. Everything that follows from it becomes
 *  mail, behind what was acknowledged before. It reads what is pending, not what ever happened. */
export function takeStock(scene: Scene): Stock {
  const { tx } = scene;
  const quarantined = checkVersions(scene);
  const activities = recoverActivities(scene);
  storeDueTimers(tx);
  const mail = tx.store.select(mailTable, { index: "key" }).map((row) => row.id);
  return { report: { ...activities, quarantined, pendingMail: mail.length }, mail };
}

/** Rows of another version are migrated, or set aside with the reason; the rest of the service starts. */
function checkVersions(scene: Scene): Address[] {
  const { parts, tx } = scene;
  return tx.store
    .distinct(actorTable, "by_version", "active")
    .filter(({ machine = "", version }) => parts.machines.get(machine)?.version !== version)
    .flatMap(({ machine = "", version }) => {
      const query = { index: "by_version", equals: ["active"], from: machine, upTo: machine };
      return tx.store.select(actorTable, query).filter((row) => row.version === version);
    })
    .filter((row) => !isBroughtUpToDate(scene, row))
    .map((row) => row.address);
}

function isBroughtUpToDate(scene: Scene, row: ActorRow): boolean {
  const { parts, tx } = scene;
  const changes = migrated(parts.machines, row);
  if (!("code" in changes)) {
    tx.store.patch(actorTable, [row.address], changes);
    return true;
  }
  const { address: self, trace } = row;
  const meta = {
    at: tx.now,
    seq: tx.nextSeq(),
    trace,
    cause: row.seq,
    origin: "actor",
    self,
  } as const;
  const mail = setAside(scene, { row, state: undefined }, { meta, error: changes });
  for (const one of mail) storeMail(tx, one);
  return false;
}

function migrated(
  machines: MachineRegistry,
  row: ActorRow,
): Pick<ActorRow, "snapshot" | "version"> | ErrorData {
  const kind = `${row.machine}@${row.version}`;
  const entry = machines.get(row.machine);
  const migrate = entry?.migrations?.[row.version];
  if (entry === undefined || migrate === undefined)
    return refusal(`${kind} is not known and has no migration`);
  try {
    const snapshot = migrate(row.snapshot);
    if (entry.context.safeParse(snapshot.context).success)
      return { snapshot, version: entry.version };
  } catch (thrown) {
    return refusal(`the migration of ${kind} failed: ${toErrorData(thrown).message}`);
  }
  return refusal(`the migration of ${kind} gives a context that is none of ${entry.version}`);
}

function refusal(message: string): ErrorData {
  return { code: "actor.quarantined", message, retryable: false };
}

function recoverActivities({ parts, tx }: Scene) {
  let resumedActivities = 0;
  let unknownOutcomes = 0;
  for (const row of tx.store.select(activityTable, { index: "key" })) {
    const ended = parts.activities.recover(tx, row);
    if (ended === undefined) {
      resumedActivities += 1;
      continue;
    }
    const { mail, settlement } = ended;
    storeMail(tx, mail);
    if (!settlement.ok && settlement.error.code === "activity.outcome_unknown")
      unknownOutcomes += 1;
  }
  return { resumedActivities, unknownOutcomes };
}

function storeDueTimers(tx: Transaction): void {
  for (const { address, id, seq, event, trace } of dueTimers(tx)) {
    tx.store.remove(timerTable, address, id);
    const source = { kind: "timer", id, seq } as const;
    storeMail(tx, { address, event, origin: "timer", trace, cause: seq, source });
  }
}

function dueTimers(tx: Transaction) {
  return tx.store.select(timerTable, { index: "due", upTo: tx.now });
}
