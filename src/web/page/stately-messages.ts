import type { InspectedSnapshot, InspectedStep } from "../../schema/shown/inspected.ts";
import type { HiveModel, SeenActor } from "./hive-model.ts";

/** The messages of Stately's inspector protocol, as @statelyai/inspect 0.7.2 sends them: flat JSON, with addresses as session ids. */

const version = "0.7.2";

type Common = {
  readonly _version: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: string;
  readonly id: null;
  readonly rootId: string;
  readonly sessionId: string;
};

type StatelySnapshot = {
  readonly status: "active" | "done" | "error" | "stopped";
  readonly value: unknown;
  readonly context: unknown;
  readonly error?: unknown;
};

export type StatelyMessage =
  | (Common & {
      readonly type: "@xstate.actor";
      readonly name: string;
      readonly parentId: string | undefined;
      /** The machine's config as JSON. */
      readonly definition: string;
      readonly snapshot: StatelySnapshot;
    })
  | (Common & {
      readonly type: "@xstate.event";
      readonly event: unknown;
      readonly sourceId: string | undefined;
    })
  | (Common & {
      readonly type: "@xstate.snapshot";
      readonly event: unknown;
      readonly snapshot: StatelySnapshot;
    });

/** A chart that is not known has no states to show: it is defined by its name, as Stately does for what is no machine. */
export function actorMessage(model: HiveModel, actor: SeenActor, now: number): StatelyMessage {
  const { name, machine, parent, snapshot } = actor;
  const isParentKnown = parent !== null && model.actors.has(parent);
  return {
    type: "@xstate.actor",
    ...common(model, actor.address, now),
    name,
    parentId: isParentKnown ? parent : undefined,
    definition: model.chartOf(actor)?.definition ?? JSON.stringify({ id: machine }),
    snapshot: statelySnapshot(snapshot),
  };
}

export function stepMessages(model: HiveModel, step: InspectedStep): readonly StatelyMessage[] {
  const { address, at, event, source, snapshot } = step;
  const shared = common(model, address, Date.parse(at));
  const came = { type: "@xstate.event", ...shared, event, sourceId: source ?? undefined } as const;
  if (snapshot === null) return [came];
  const after = { type: "@xstate.snapshot", ...shared, event } as const;
  return [came, { ...after, snapshot: statelySnapshot(snapshot) }];
}

function common(model: HiveModel, address: string, at: number): Common {
  return {
    _version: version,
    createdAt: String(at),
    id: null,
    rootId: rootOf(model, address),
    sessionId: address,
  };
}

/** The topmost of those above it that are shown. */
function rootOf({ actors }: HiveModel, address: string): string {
  let root = address;
  for (;;) {
    const parent = actors.get(root)?.parent ?? null;
    if (parent === null || !actors.has(parent)) return root;
    root = parent;
  }
}

/** XState knows no actor that was set aside: it has failed. */
function statelySnapshot({ status, value, context, error }: InspectedSnapshot): StatelySnapshot {
  return {
    status: status === "quarantined" ? "error" : status,
    value,
    context,
    ...(error === undefined ? {} : { error }),
  };
}
