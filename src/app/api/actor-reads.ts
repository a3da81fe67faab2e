import { actorDossier } from "../../engine/views/actor-details.ts";
import { listActors } from "../../engine/views/actor-view.ts";
import type { MachineRegistry } from "../../engine/machine-registry.ts";
import { actorTable, type DeadLetterRow, deadLetterTable } from "../../engine/tables.ts";
import type { CommittedReader } from "../../ports/store.ts";
import type { ActorStateRow, DeadLetter } from "../../schema/shown/actor-view.ts";
import { AgentError } from "../../schema/errors.ts";
import { showDossier } from "../records/shown-actor.ts";
import type { Handlers } from "./caller.ts";
import { iso, showActor } from "../records/shown.ts";

/** Looking at actors. */
export function actorReads(
  read: CommittedReader,
  machines: MachineRegistry,
): Handlers<"actors.tree" | "actor.get" | "actors.dead"> {
  return {
    "actors.tree": async ({ prefix, all, limit }) => {
      const rows = await listActors(read, {
        limit,
        ...(all ? {} : { status: "active" }),
        ...(prefix === undefined ? {} : { prefix }),
      });
      return rows.map(showActor).toSorted(byAddress);
    },
    "actors.dead": async ({ limit }) => {
      const letters = await read.select(deadLetterTable, {
        index: "key",
        descending: true,
        limit,
      });
      const actors = await read.select(actorTable, {
        index: "by_version",
        equals: ["quarantined"],
        limit,
      });
      return {
        dead_letters: letters.map(showDeadLetter),
        quarantined: actors.map((row) => ({ ...showActor(row), error: row.error })),
      };
    },
    "actor.get": async ({ address }) => {
      const dossier = await actorDossier(read, machines, address);
      if (dossier === undefined) throw nobodyAt(address);
      return showDossier(dossier);
    },
  };
}

function showDeadLetter({ seq, at, address, event, reason, trace }: DeadLetterRow): DeadLetter {
  const { type, ...payload } = event;
  return { seq, at: iso(at), address, event: type, payload, reason, trace };
}

export function byAddress(a: ActorStateRow, b: ActorStateRow): number {
  return a.address < b.address ? -1 : 1;
}

export function nobodyAt(address: string): AgentError {
  return new AgentError("actor.not_found", `Nobody lives at ${address}.`, {
    hint: "`statehive actors tree` lists the actors",
  });
}
