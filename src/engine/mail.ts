import type { Address, EventData, Origin } from "../schema/event.ts";
import type { CreateOptions } from "./engine.ts";
import type { Source } from "./kernel.ts";

/** An event on its way to an actor. `create` makes the actor first if nobody lives at the address. */
export type Mail = {
  readonly address: Address;
  readonly event: EventData;
  readonly origin: Origin;
  readonly trace: string;
  readonly cause: number | null;
  readonly source?: Source;
  readonly create?: CreateOptions;
};

/** The birth of an actor, in line with the mail that follows it. */
export type Birth = {
  readonly address: Address;
  readonly birth: CreateOptions & { readonly parent: Address | null; readonly restart?: boolean };
  readonly trace: string;
  readonly cause: number | null;
  readonly origin: Origin;
};

export type Delivery = Mail | Birth;

export function isBirth(delivery: Delivery): delivery is Birth {
  return "birth" in delivery;
}

/** `parent`, `./call/c2` below oneself, or an absolute address. */
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
