import type { Method, ParamsOf, Results } from "../../schema/socket/protocol.ts";
import type { SafeText } from "../frame/safe-text.ts";
import type { Model } from "../model/model.ts";
import type { Service } from "../service.ts";
import type { Overlay, Pane } from "./pane.ts";
import type { Timers } from "./timers.ts";

export const viewIds = [
  "actors",
  "sessions",
  "runs",
  "approvals",
  "bus",
  "logs",
  "chat",
  "audit",
] as const;
export type ViewId = (typeof viewIds)[number];

/** What panes are given of everything around them. */
export type App = {
  readonly model: Model;
  readonly service: Service;
  readonly timers: Timers;
  /** Asks the service; what it refuses is said in the row of messages, and answered with undefined. */
  ask<M extends Method>(method: M, params: ParamsOf<M>): Promise<Results[M] | undefined>;
  /** Says it in the row of messages, until the next word or key. */
  say(text: SafeText, mood?: "good" | "bad"): void;
  open(overlay: Overlay): void;
  close(overlay: Overlay): void;
  /** Shows the view, and there the thing of that id: a session, a run, an approval. */
  go(view: ViewId, id?: string): void;
  /** Whether it is drawn, with nothing over it. */
  isInSight(pane: Pane): boolean;
  /** Every pane shows only what belongs to it; undefined: all. */
  trace: string | undefined;
  /** What is drawn has changed. */
  changed(): void;
  bell(): void;
};
