import type { Lookup } from "../../engine/engine.ts";
import type { ContextSettings } from "../../schema/context-strategy.ts";
import type { Trust } from "../../schema/contexts/trust.ts";
import type { JsonObject } from "../../schema/json.ts";
import { memoryChangeTable } from "../../schema/rows/memory-rows.ts";
import { runTable } from "../../schema/rows/run-rows.ts";
import { forgottenSessionTable } from "../../schema/rows/session-rows.ts";
import type { Agents } from "../agent.ts";
import type { ModelAside } from "../model-aside.ts";
import { partitionToWrite } from "./may-remember.ts";

export type EpisodeParts = {
  readonly agents: Agents;
  readonly aside: Pick<ModelAside, "canAnswer">;
  readonly context: () => ContextSettings;
};

type Ended = {
  readonly session_id: string;
  readonly session_address: string;
  readonly agent_id: string;
  readonly trust: Trust;
  readonly origins: readonly string[];
};

const runsLookedAt = 8;

/** Whether a conversation that has ended leaves a short account in memory: it was answered, wrote nothing there itself, and nothing
 *  that was said in it was forgotten. */
export function createEpisodeDue({ agents, aside, context }: EpisodeParts): Lookup {
  return (read, args, { at }) => {
    const { trust, ...ended } = args as unknown as Ended;
    const { session_id, session_address, agent_id } = ended;
    const agent = agents.get(agent_id);
    if (!context().episodes || agent === undefined || !aside.canAnswer(agent_id)) return [];
    const partition = partitionToWrite(agent.policy, { session_address, trust });
    if (partition === null) return [];
    if (read.get(forgottenSessionTable, session_id) !== undefined) return [];
    const ofSession = { index: "by_session", equals: [session_id] };
    if (read.select(memoryChangeTable, { ...ofSession, limit: 1 }).length > 0) return [];
    const runs = read.select(runTable, { ...ofSession, descending: true, limit: runsLookedAt });
    if (!runs.some(({ state }) => state === "done")) return [];
    const input = { ...ended, partition, at } as unknown as JsonObject;
    const create = { machine: "episode", input, supervisor: "system" };
    return [{ to: `memory/episode/${session_id}`, event: { type: "episode.begin" }, create }];
  };
}
