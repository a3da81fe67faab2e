import type { Agent, Agents } from "../../actors/agent.ts";
import { type MessagePlace, type Routing, routeMessage } from "../../policy/routing.ts";
import { AgentError } from "../../schema/errors.ts";
import { type AgentSource, listedAgent } from "../agents/agent-list.ts";
import type { Caller, Handlers } from "./caller.ts";

/** Whom a message is for. */

export type Addressing = {
  readonly agents: Agents;
  /** Asked for each message: the configuration may have been read anew. */
  readonly routing: () => Routing;
};

/** Who would answer a message that is sent now. */
export function addresseeHandlers(
  addressing: Addressing,
  source: AgentSource,
): Handlers<"chat.agent"> {
  return {
    "chat.agent": async (params, caller) =>
      listedAgent(source, addressee(addressing, params, placeOf(params, caller)).id),
  };
}

type Named = { readonly agent?: string | undefined; readonly session?: string | undefined };

export function placeOf({ session }: Named, { name }: Pick<Caller, "name">): MessagePlace {
  return {
    channel_type: "local",
    connector_id: "local",
    conversation_scope: session ?? name,
    user_scope: "owner",
  };
}

/** The agent that was named, else the one that the bindings lead to.
 *  @throws AgentError agent.not_found, agent.disabled */
export function addressee(
  { agents, routing }: Addressing,
  { agent: named }: Named,
  place: MessagePlace,
): Agent {
  const id = named ?? routeMessage(place, routing()).agent;
  const agent = agents.get(id);
  if (agent === undefined) {
    throw new AgentError("agent.not_found", `No agent is called ${id}.`, {
      hint: "`statehive agents list` shows them",
    });
  }
  if (!agent.enabled) {
    throw new AgentError("agent.disabled", `The agent ${id} is disabled.`, {
      hint: `\`statehive agents enable ${id}\` lets it answer`,
    });
  }
  return agent;
}
