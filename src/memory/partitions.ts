import { type MemoryPartition, type MemorySource, sharedPartition } from "../schema/memory.ts";
import { relativePath } from "../schema/relative-path.ts";
import type { SessionPlace } from "../schema/session-place.ts";

/** Where memories belong: which files are whose, and who may read them. What has an odd name belongs nowhere. */

const id = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const conceptsDirectory = "shared/concepts/";

/** What an agent remembers of all who talk to it over one connector. Undefined: no such place may have a memory. */
export function partitionOf({ agent_id, connector_id }: SessionPlace): MemoryPartition | undefined {
  if (!id.test(agent_id) || !id.test(connector_id) || agent_id === sharedPartition)
    return undefined;
  return `${agent_id}/${connector_id}`;
}

const ownFile = /^([a-z0-9][a-z0-9_-]{0,63}\/[a-z0-9][a-z0-9_-]{0,63})\/./su;
const subRunFile = /^([^/]+\/[^/]+\/sub\/[A-Za-z0-9][A-Za-z0-9_-]{0,63})\/./su;

/** Undefined: the file belongs to none, and is nobody's to read. */
export function partitionOfPath(path: string): MemoryPartition | undefined {
  const checked = relativePath(path);
  if (!checked.ok || checked.path !== path) return undefined;
  if (path.startsWith(`${sharedPartition}/`))
    return path.startsWith(conceptsDirectory) ? sharedPartition : undefined;
  const own = ownFile.exec(path)?.[1];
  return own === undefined ? undefined : (subRunFile.exec(path)?.[1] ?? own);
}

/** Whose memory a partition is, and over which connector it came to be. What agents share is nobody's. */
export function homeOf(
  partition: MemoryPartition,
): Pick<SessionPlace, "agent_id" | "connector_id"> | undefined {
  if (partition === sharedPartition) return undefined;
  if (isOfTasks(partition)) return homeOfTasks(partition);
  const [agent_id = "", connector_id = ""] = partition.split("/");
  return { agent_id, connector_id };
}

/** The directory of its files, with its slash. */
export function directoryOf(partition: MemoryPartition): string {
  return partition === sharedPartition ? conceptsDirectory : `${partition}/`;
}

export type Reading = {
  readonly place: SessionPlace;
  /** What policy opens. */
  readonly sources: readonly MemorySource[];
  /** All that there are. */
  readonly known: readonly MemoryPartition[];
};

/** Of files. The owner at the keyboard reads all that the agent remembers; anybody else what is of the same connector, and what agents
 *  share, as far as the agent's configuration lets it. */
export function readablePartitions({ place, sources, known }: Reading): MemoryPartition[] {
  const own = partitionOf(place);
  if (own === undefined) return [];
  const ofAgent = known.filter((each) => each.startsWith(`${place.agent_id}/`) && each !== own);
  return [
    ...(sources.includes("own") ? [own, ...(isOwner(place) ? ofAgent : [])] : []),
    ...(sources.includes("shared") ? [sharedPartition] : []),
  ];
}

function isOwner({ channel_type, connector_id }: SessionPlace): boolean {
  return channel_type === "local" && connector_id === "local";
}

/** Of past tasks: what one person asked one agent for in one chat, whatever its topic. */
export function partitionOfTasks(place: SessionPlace): MemoryPartition {
  const { agent_id, channel_type, connector_id, conversation_scope, user_scope } = place;
  const [chat = ""] = conversation_scope.split("/", 1);
  const parts = [agent_id, channel_type, connector_id, chat, user_scope];
  return `${taskMark}${parts.map(encodeURIComponent).join(":")}`;
}

const taskMark = "task:";

export function isOfTasks(partition: MemoryPartition): boolean {
  return partition.startsWith(taskMark);
}

function homeOfTasks(partition: MemoryPartition) {
  const [agent_id = "", , connector_id = ""] = partition.slice(taskMark.length).split(":");
  return { agent_id: decodeURIComponent(agent_id), connector_id: decodeURIComponent(connector_id) };
}

/** The same rule as for looking back at conversations (actors/earlier-conversations.ts). */
export function readableTaskPartitions(
  place: SessionPlace,
  known: readonly MemoryPartition[],
): MemoryPartition[] {
  const own = partitionOfTasks(place);
  if (!isOwner(place)) return [own];
  const ofAgent = `${taskMark}${encodeURIComponent(place.agent_id)}:`;
  return [own, ...known.filter((each) => each.startsWith(ofAgent) && each !== own)];
}
