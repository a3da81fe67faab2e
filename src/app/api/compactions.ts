import type { Engine } from "../../engine/engine.ts";
import { findSession } from "../records/find.ts";
import { sendOrRefuse } from "./actors.ts";
import type { Handlers } from "./caller.ts";

/** A person has a conversation summed up before it is too long. */
export function compactionHandlers(engine: Engine): Handlers<"sessions.compact"> {
  return {
    "sessions.compact": async ({ id }, { origin }) => {
      const { address } = await findSession(engine.read, id);
      const event = { type: "session.compact" };
      const sent = await sendOrRefuse(engine, address, { event, options: { origin } });
      return { ...sent, state: (await engine.get(address))?.state ?? sent.state };
    },
  };
}
