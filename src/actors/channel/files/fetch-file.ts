import type { ActivityKind } from "../../../engine/activities/activity-kind.ts";
import { origin } from "../../../policy/origins.ts";
import type { RowReader, RowWriter } from "../../../ports/store.ts";
import type { FetchFileInput, FetchFileOutput } from "../../../schema/activities.ts";
import { AgentError } from "../../../schema/errors.ts";
import type { Agent, Agents } from "../../agent.ts";
import { markFile } from "../../file-origins.ts";
import { type Channels, channelOf } from "../channels.ts";

/** A file that a person sent comes from the channel into the agent's workspace. Whoever made it is a stranger: it is marked so before
 *  it can be there. */

/** Of one connector. */
const maxConcurrent = 3;
const retry = { attempts: 8, backoffMs: 1_000, maxBackoffMs: 60_000 };

export function createFetchFile(
  channels: Channels,
  agents: Agents,
): ActivityKind<FetchFileInput, FetchFileOutput> {
  const mark = (store: RowReader & RowWriter, input: FetchFileInput, found: Found) => {
    const workspace = agents.get(input.agent_id)?.workspace;
    const origins = found.isThere ? [origin("file", input.path)] : [];
    if (workspace !== undefined)
      markFile(store, { workspace, path: input.path, origins, at: found.at });
  };
  return {
    recovery: "repeat",
    maxConcurrent,
    queueOf: ({ connector_id }) => connector_id,
    retry,
    admit: (store, input, { at }) => {
      mark(store, input, { isThere: true, at });
      return undefined;
    },
    settled: (store, { input, at, settlement, isLost }) =>
      mark(store, input, { isThere: settlement.ok || isLost, at }),
    run: async ({ input, signal }) => {
      const { connector_id, agent_id, file_id, path, max_bytes: maxBytes } = input;
      const { files } = agentOf(agents, agent_id);
      const channel = channelOf(channels, connector_id);
      const { bytes, mediaType } = await channel.fetch(file_id, { maxBytes }, signal);
      await files.write(path, bytes);
      return { bytes: bytes.length, media_type: mediaType };
    },
  };
}

/** `isThere`: it is, or may be. */
type Found = { readonly isThere: boolean; readonly at: number };

function agentOf(agents: Agents, id: string): Agent {
  const agent = agents.get(id);
  if (agent !== undefined) return agent;
  throw new AgentError("agent.not_found", `There is no agent ${id} any more.`);
}
