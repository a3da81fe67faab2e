import { AgentError, toErrorData } from "../../schema/errors.ts";
import type { EventMeta } from "../../schema/events/event.ts";
import { statePath, tagsOf, toStored } from "../kernel/actor-state.ts";
import { buryFailed } from "./burial.ts";
import { carryOut, checkStep } from "../effects.ts";
import { endLife } from "./end-of-life.ts";
import { writeJournal } from "../journal.ts";
import { firstStep, type Step } from "../kernel/kernel.ts";
import type { RegisteredMachine } from "../machine-registry.ts";
import type { Birth } from "../mail/mail.ts";
import { type Consequences, metaOf, type Scene } from "../scene.ts";
import type { ActorRow } from "../tables.ts";

/** The first step of an actor. One that fails is a dead letter, and its supervisor hears of it. */
export function giveBirth(scene: Scene, delivery: Birth): Consequences {
  const meta = metaOf(scene.tx, delivery);
  const former = scene.tx.actor(delivery.address)?.row;
  let conceived: Conceived;
  try {
    conceived = conceive(scene, delivery, { meta, former });
  } catch (thrown) {
    return buryFailed(scene, { delivery, meta, error: toErrorData(thrown) });
  }
  const farewell = former?.status === "active" ? endLife(scene, former, meta) : [];
  const row = rowOf(delivery, conceived, meta);
  const ended = row.status === "done";
  scene.tx.insertActor({ row, state: ended ? undefined : conceived.step.state });
  writeJournal(scene.tx, { delivery, meta, outcome: "handled", after: row });
  const { first, then } = carryOut(scene, { row, effects: conceived.step.effects, meta });
  const last = ended ? endLife(scene, row, meta) : [];
  const result = { seq: meta.seq, outcome: "handled", state: row.state } as const;
  return { result, first, then: [...farewell, ...then, ...last] };
}

type Conceived = { readonly entry: RegisteredMachine; readonly step: Step };

/** A restart takes the place of a life that may still go on. */
type Circumstances = { readonly meta: EventMeta; readonly former: ActorRow | undefined };

function conceive({ parts }: Scene, delivery: Birth, { meta, former }: Circumstances): Conceived {
  const { address, birth } = delivery;
  const entry = parts.machines.get(birth.machine);
  if (entry === undefined)
    throw new AgentError("internal", `no machine is called ${birth.machine}`);
  if (former?.status === "active" && birth.restart !== true)
    throw new AgentError("actor.exists", `${address} lives already`);
  const step = firstStep(entry.machine, birth.input, meta);
  checkStep(step);
  return { entry, step };
}

function rowOf(delivery: Birth, { entry, step }: Conceived, meta: EventMeta): ActorRow {
  const { machine, input, parent, supervisor } = delivery.birth;
  const ended = step.state.snapshot.status === "done";
  return {
    address: delivery.address,
    machine,
    version: entry.version,
    parent,
    supervisor: supervisor ?? parent,
    restart: entry.restart ?? "temporary",
    input,
    snapshot: toStored(step.state),
    state: statePath(step.state.snapshot.value),
    tags: tagsOf(step.state.snapshot),
    status: ended ? "done" : "active",
    seq: meta.seq,
    since: meta.at,
    trace: meta.trace,
    created_at: meta.at,
    ended_at: ended ? meta.at : null,
    error: null,
  };
}
