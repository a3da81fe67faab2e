import type { SendParams } from "../../../schema/effect.ts";
import { agentsHere, nameOf } from "./agents-here.ts";
import { answer, type SaidCommand } from "./answer.ts";
import { conversationNow } from "./conversation-now.ts";
import type { Intake } from "./intake-parts.ts";

/** `/agent` says who answers a person in a conversation, and who could; `/agent ID` chooses. */
export function chooseAgent(intake: Intake, said: SaidCommand): readonly SendParams[] {
  const { agents } = intake;
  const wanted = said.command.args.trim();
  const here = agentsHere(intake, said.place);
  if (wanted === "") return [answer(said, choiceText(intake, said))];
  const chosen = here.find((id) => isCalled(wanted, id, nameOf(agents, id)));
  if (chosen === undefined) {
    const text = `No agent that you can choose is called ${wanted}.\n${choiceText(intake, said)}`;
    return [answer(said, text)];
  }
  const name = nameOf(agents, chosen);
  if (chosen === said.place.agent_id) return [answer(said, `${name} answers here already.`)];
  const { connector_id, conversation_scope: scope, user_scope } = said.place;
  const choice = { connector_id, scope, user_scope, agent_id: chosen, at: intake.at };
  const text = `From now on ${name} answers you here.${leftText(intake, said)}`;
  return [{ to: "self", event: { type: "agent.chosen", choice } }, answer(said, text)];
}

function isCalled(wanted: string, id: string, name: string): boolean {
  const lower = wanted.toLowerCase();
  return lower === id || lower === name.toLowerCase();
}

function choiceText(intake: Intake, { place }: SaidCommand): string {
  const { agents } = intake;
  const others = agentsHere(intake, place).filter((id) => id !== place.agent_id);
  const present = `${nameOf(agents, place.agent_id)} answers here.`;
  if (others.length === 0) return `${present} There is no other to choose.`;
  const lines = others.map((id) => `/agent ${id} (${nameOf(agents, id)})`);
  return [`${present} To have another answer you:`, ...lines].join("\n");
}

/** What was begun with the agent before is not lost. */
function leftText({ read, agents }: Intake, { place }: SaidCommand): string {
  if (conversationNow(read, place).run === undefined) return "";
  return ` ${nameOf(agents, place.agent_id)} still works on what you asked before.`;
}
