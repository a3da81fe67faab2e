import type { CommittedReader, RowReader } from "../ports/store.ts";
import { AgentError } from "../schema/errors.ts";
import {
  agentConfigTable,
  type AgentConfigRow,
  type Run,
  runTable,
} from "../schema/rows/run-rows.ts";
import type { Agent, Agents, AgentSettings } from "./agent.ts";

/** The agent of a run, twice: as it was when the run got its slot, and as it is now. */
export type AgentOfRun = {
  readonly pinned: AgentSettings;
  readonly live: Agent;
  readonly run: Run | undefined;
};

export type OfRun = { readonly agent_id: string; readonly run_id: string };

/** @throws AgentError agent.not_found, agent.disabled, config.invalid: the run may do nothing more */
export function agentOfRun(agents: Agents, read: RowReader, asked: OfRun): AgentOfRun {
  const run = read.get(runTable, asked.run_id);
  const live = liveAgent(agents, asked);
  const hash = pinOf(run, live);
  if (hash === undefined) return { pinned: live, live, run };
  return { pinned: restored(agents, asked, read.get(agentConfigTable, hash)), live, run };
}

/** The same from committed rows. @throws as `agentOfRun` */
export async function committedAgentOfRun(
  agents: Agents,
  read: CommittedReader,
  asked: OfRun,
): Promise<AgentOfRun> {
  const run = await read.get(runTable, asked.run_id);
  const live = liveAgent(agents, asked);
  const hash = pinOf(run, live);
  if (hash === undefined) return { pinned: live, live, run };
  return { pinned: restored(agents, asked, await read.get(agentConfigTable, hash)), live, run };
}

function liveAgent(agents: Agents, { agent_id: id }: OfRun): Agent {
  const live = agents.get(id);
  if (live === undefined)
    throw new AgentError("agent.not_found", `The agent ${id} is not configured any more.`);
  if (!live.enabled) throw new AgentError("agent.disabled", `The agent ${id} is disabled.`);
  return live;
}

/** The configuration to look up; undefined where it is the live one, or the run is not pinned: it has no slot yet, or is older
 *  than pins. */
function pinOf(run: Run | undefined, live: Agent): string | undefined {
  const hash = run?.config_hash ?? undefined;
  return hash === live.configHash ? undefined : hash;
}

function restored(
  agents: Agents,
  { agent_id: id }: OfRun,
  row: AgentConfigRow | undefined,
): AgentSettings {
  const config = row?.config ?? null;
  const pinned = config === null ? undefined : agents.restore(config);
  if (pinned !== undefined) return pinned;
  throw new AgentError(
    "config.invalid",
    `The configuration of ${id} that the run began with cannot be read any more.`,
  );
}
