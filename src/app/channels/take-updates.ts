import type { TakeUpdates, Taking } from "../../adapters/channel/http/intake-route.ts";
import { connectorAddress } from "../../actors/channel/channels.ts";
import type { Engine } from "../../engine/engine.ts";
import { AgentError, type ErrorCode } from "../../schema/errors.ts";
import { isStopping } from "../root.ts";

/** What comes again can be taken then. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "engine.closed",
  "mailbox.full",
  "store.unavailable",
]);

/** Hands to a connector what others bring it; taken is what is committed. */
export function createTakeUpdates(engine: Pick<Engine, "send" | "read">): TakeUpdates {
  return async (connectorId, updates) => {
    if (await isStopping(engine)) return "busy";
    const event = { type: "updates.received", updates: [...updates] };
    try {
      const { outcome } = await engine.send(connectorAddress(connectorId), event, {
        origin: "channel",
      });
      return outcome === "handled" ? "taken" : "busy";
    } catch (thrown) {
      return takingOf(thrown);
    }
  };
}

function takingOf(thrown: unknown): Taking {
  if (!(thrown instanceof AgentError)) throw thrown;
  if (thrown.code === "event.invalid") return "refused";
  if (passing.has(thrown.code)) return "busy";
  throw thrown;
}
