import type { CommittedReader, RowReader } from "../ports/store.ts";
import { AgentError } from "../schema/errors.ts";
import { agentConfigTable, type AgentConfigRow, runTable } from "../schema/run-rows.ts";
import type { Agent, Agents, AgentSettings } from "./agent.ts";

/** The agent of a run, twice: as it was when the run got its slot, and as it is now. */
export type AgentOfRun = { readonly pinned: AgentSettings; readonly live: Agent };

export type OfRun = { readonly agent_id: string; readonly run_id: string };

/** Null for a run that is not pinned: it has no slot yet, or is older than pins. */
type Pin = { readonly hash: string; readonly row: AgentConfigRow | undefined } | null;

/** @throws AgentError agent.not_found, agent.disabled, config.invalid: the run may do nothing more */
export function agentOfRun(agents: Agents, read: RowReader, run: OfRun): AgentOfRun {
  const hash = read.get(runTable, run.run_id)?.config_hash ?? null;
  return chosen(
    agents,
    run,
    hash === null ? null : { hash, row: read.get(agentConfigTable, hash) },
  );
}

/** The same from committed rows. @throws as `agentOfRun` */
export async function committedAgentOfRun(
  agents: Agents,
  read: CommittedReader,
  run: OfRun,
): Promise<AgentOfRun> {
  const hash = (await read.get(runTable, run.run_id))?.config_hash ?? null;
  const row = hash === null ? undefined : await read.get(agentConfigTable, hash);
  return chosen(agents, run, hash === null ? null : { hash, row });
}

function chosen(agents: Agents, { agent_id: id }: OfRun, pin: Pin): AgentOfRun {
  const live = agents.get(id);
  if (live === undefined)
    throw new AgentError("agent.not_found", `The agent ${id} is not configured any more.`);
  if (!live.enabled) throw new AgentError("agent.disabled", `The agent ${id} is disabled.`);
  if (pin === null || pin.hash === live.configHash) return { pinned: live, live };
  const config = pin.row?.config ?? null;
  const pinned = config === null ? undefined : agents.restore(config);
  if (pinned !== undefined) return { pinned, live };
  throw new AgentError(
    "config.invalid",
    `The configuration of ${id} that the run began with cannot be read any more.`,
  );
}
