import type { ErrorData } from "../../schema/errors.ts";
import type { Address, EventData, Origin } from "../../schema/events/event.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { Source } from "../kernel/actor-state.ts";

/** An event on its way to an actor. */
export type Mail = {
  readonly address: Address;
  readonly event: EventData;
  readonly origin: Origin;
  readonly trace: string;
  readonly cause: number | null;
  readonly source?: Source;
  /** Made before if nobody lives at the address. */
  readonly create?: Making;
  /** Sent back if nobody takes it. */
  readonly refused?: Bounce;
};

/** What the sender of a mail hears that was not taken. */
export type Bounce = { readonly to: Address; readonly event: EventData };

export type CreateOptions = {
  readonly machine: string;
  readonly input: JsonObject;
  readonly supervisor?: Address;
};

/** `parent`: whoever asks for it, of an address below its own. */
export type Making = CreateOptions & { readonly parent: Address | null };

/** The birth of an actor, in line with the mail that follows it. */
export type Birth = {
  readonly address: Address;
  readonly birth: Making & { readonly restart?: boolean };
  readonly trace: string;
  readonly cause: number | null;
  readonly origin: Origin;
};

export type Delivery = Mail | Birth;

/** A row of the mailbox, taken when its turn comes. One with a fault is buried unread. */
export type StoredMail = { readonly stored: number; readonly fault?: ErrorData | undefined };

export type Waiting = Delivery | StoredMail;

export function isBirth(delivery: Delivery): delivery is Birth {
  return "birth" in delivery;
}

/** `parent`, `self`, `./call/c2` below oneself, or an absolute address. */
export function resolveAddress(
  self: Address,
  parent: Address | null,
  to: string,
): Address | undefined {
  if (to === "parent") return parent ?? undefined;
  if (to === "self") return self;
  if (to.startsWith("./")) return `${self}/${to.slice(2)}`;
  return to;
}
