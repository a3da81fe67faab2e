import type { Address, EventData } from "./events/event.ts";
import type { ErrorCode } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";

/** What a transition asks for, as data. The engine carries it out: rows in the step's own transaction, the outside after
 *  its commit. Machines ask by the named actions `send`, `spawnActor`, `lookup`, `write`, `notice`, `restartActor`, `wakeLater`,
 *  `refuse`, by `invoke` (an activity) and by `after` (a timer). */

export type SendParams = {
  readonly to: Address;
  readonly event: EventData;
  /** Of the message that the event speaks for, where that is another than the step's. */
  readonly trace?: string;
  /** Made before, in the same transaction, if nobody lives at the address; below the sender's own, as its child. */
  readonly create?: {
    readonly machine: string;
    readonly input: JsonObject;
    readonly supervisor?: Address;
  };
  /** What the sender hears if the receiver does not take it; with the receiver's `reason`. */
  readonly refused?: EventData;
  /** Who hears that instead, where the sender ends meanwhile. */
  readonly refusedTo?: Address;
};
/** `trace`: of the message that the child works for, where it is another than the event's. */
export type SpawnParams = {
  readonly id: string;
  readonly machine: string;
  readonly input: JsonObject;
  readonly trace?: string;
};
export type LookupParams = { readonly name: string; readonly args: JsonObject };
export type RestartParams = { readonly address: Address };
/** A timer whose id is not known to the chart; the others are written as `after`. */
export type TimerParams = {
  readonly id: string;
  readonly delayMs: number;
  readonly event: EventData;
};
export type NoticeParams = { readonly notice: JsonObject };
/** The event is rejected, though a transition took it: rows may tell of the attempt. */
export type RefuseParams = { readonly code: ErrorCode; readonly message: string };

/** `put` replaces or adds the whole row, `patch` changes columns of the row with that key, `remove` deletes it,
 *  `clear` deletes all rows of one owner. */
export type WriteParams =
  | { readonly table: string; readonly op: "put"; readonly row: JsonObject }
  | {
      readonly table: string;
      readonly op: "patch";
      readonly key: readonly Json[];
      readonly row: JsonObject;
    }
  | { readonly table: string; readonly op: "remove"; readonly key: readonly Json[] }
  | { readonly table: string; readonly op: "clear"; readonly owner: string };

export type Effect =
  | ({ readonly kind: "send" } & SendParams)
  | ({ readonly kind: "spawn" } & SpawnParams)
  | ({ readonly kind: "restart" } & RestartParams)
  | ({ readonly kind: "lookup" } & LookupParams)
  | { readonly kind: "write"; readonly write: WriteParams }
  | ({ readonly kind: "notice" } & NoticeParams)
  | ({ readonly kind: "refuse" } & RefuseParams)
  | ({ readonly kind: "timer" } & TimerParams)
  | { readonly kind: "cancel_timer"; readonly id: string }
  | { readonly kind: "activity"; readonly id: string; readonly src: string; readonly input: Json }
  | { readonly kind: "stop_activity"; readonly id: string };
