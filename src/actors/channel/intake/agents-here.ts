import type { InboundPlace } from "../../../schema/inbound.ts";
import { routeMessage } from "../../../policy/routing.ts";
import type { Agents } from "../../agent.ts";
import type { Intake } from "./intake-parts.ts";

/** The agents that a person can have in a conversation: who answers now, who answers unless another is chosen, who may be chosen. */
export function agentsHere({ channels, agents }: Intake, place: InboundPlace): readonly string[] {
  const settings = channels.settings(place.connector_id);
  if (settings === undefined) return [place.agent_id];
  const usual = routeMessage(place, settings.routing).agent;
  const offered = settings.doorway.agents.filter((id) => agents.get(id)?.enabled === true);
  return [...new Set([place.agent_id, usual, ...offered])];
}

/** What an agent is called in public. */
export function nameOf(agents: Agents, id: string): string {
  const identity = agents.get(id)?.config["identity"];
  if (typeof identity !== "object" || identity === null || !("public_label" in identity)) return id;
  const label = identity["public_label"];
  return typeof label === "string" ? label : id;
}
