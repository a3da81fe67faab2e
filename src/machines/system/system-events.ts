import type { SystemContext } from "../../schema/contexts/system-context.ts";
import type { Delivered } from "../../schema/events/event.ts";
import type { EventOf } from "../../schema/events/events.ts";

export type SystemInput = Pick<
  SystemContext,
  "children" | "max_restarts" | "within_ms" | "backoff_ms"
>;

export type SystemEvent = Delivered<
  | EventOf<"system.start">
  | EventOf<"system.drain">
  | EventOf<"system.stop">
  | EventOf<"config.reloaded">
  | EventOf<"actor.failed">
  | EventOf<"child.restart">
  | EventOf<"mark.clear">
>;
