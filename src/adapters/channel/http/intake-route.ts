import type { IncomingHttpHeaders } from "node:http";
import type { InboundUpdate } from "../../../schema/inbound.ts";

/** What a posted body is, in its channel's words. `early`: it cannot be read yet. */
export type Reading =
  | { readonly kind: "updates"; readonly updates: readonly InboundUpdate[] }
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "early" };

/** How one type of connector is called. */
export type IntakeProtocol = {
  /** What the caller shows to prove itself; empty where it shows nothing. */
  readonly secretIn: (headers: IncomingHttpHeaders) => string;
  readonly read: (body: Uint8Array) => Reading;
  /** Of a body that is longer than what is read. */
  readonly readTooLong: (beginning: Uint8Array) => Reading;
  /** What the caller is told when its updates are kept; empty: nothing. */
  readonly thanks: string;
  /** What is never taken is answered as if it were, since the caller would bring it for ever. */
  readonly repeatsForEver: boolean;
};

/** One path that is listened at: one connector. */
export type IntakeRoute = {
  readonly connectorId: string;
  readonly secret: string;
  readonly protocol: IntakeProtocol;
};

/** By path: `/webhook/crm`. */
export type IntakeRoutes = ReadonlyMap<string, IntakeRoute>;

/** `busy`: not now, the same again may be taken later. `refused`: never. */
export type Taking = "taken" | "busy" | "refused";

/** Resolves when what was taken is kept. */
export type TakeUpdates = (
  connectorId: string,
  updates: readonly InboundUpdate[],
) => Promise<Taking>;
