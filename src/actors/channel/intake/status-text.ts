import { actorTable } from "../../../engine/tables.ts";
import type { InboundPlace } from "../../../schema/inbound.ts";
import { duration } from "../../../text/times.ts";
import { agentsHere, nameOf } from "./agents-here.ts";
import { connectorAddress } from "../channels.ts";
import { openFetchOf } from "../files/bring-files.ts";
import { type ConversationNow, conversationNow, openQuestionsIn } from "./conversation-now.ts";
import type { Intake } from "./intake-parts.ts";

const doing: { readonly [state: string]: string } = {
  idle: "waits for its turn",
  thinking: "thinks",
  awaiting_tool: "works with its tools",
  awaiting_approval: "waits for a decision",
  awaiting_user: "waits for an answer",
  paused_budget: "has used up its budget and waits for a decision",
  cancelling: "is stopping",
};

/** Who answers, what is being done, what waits. */
export function statusText(intake: Intake, place: InboundPlace): string {
  const { read, agents } = intake;
  const [present = place.agent_id, ...others] = agentsHere(intake, place);
  const nowOf = (agent_id: string) => conversationNow(read, { ...place, agent_id });
  const now = nowOf(present);
  const name = nameOf(agents, present);
  return [
    `${name} answers here.`,
    runLine(name, now, intake.at) ?? "Nothing is being done.",
    ...(openFetchOf(read, place) === undefined ? [] : ["What you sent last is being fetched."]),
    ...counted(now.queued, "message waits for its turn", "messages wait for their turn"),
    ...others.map((id) => runLine(nameOf(agents, id), nowOf(id), intake.at)),
    ...counted(
      openQuestionsIn(intake, place).length,
      "question waits for a decision: /approvals",
      "questions wait for a decision: /approvals",
    ),
    connectionLine(intake, place.connector_id),
  ]
    .filter((line) => line !== undefined)
    .join("\n");
}

function runLine(name: string, { run, runState }: ConversationNow, at: number): string | undefined {
  if (run === undefined) return undefined;
  const [state = ""] = runState.split(".");
  const since = duration(Math.max(0, at - run.started_at));
  return `${name} ${doing[state] ?? "works"}; begun ${since} ago (${run.run_id}).`;
}

function counted(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}.`];
}

function connectionLine({ read }: Intake, connectorId: string): string {
  const state = read.get(actorTable, connectorAddress(connectorId))?.state ?? "unknown";
  return `Connection ${connectorId}: ${state.replaceAll("_", " ")}.`;
}
