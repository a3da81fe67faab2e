import { AgentError } from "../../schema/errors.ts";
import type { MemoryStats } from "../../schema/shown/shown-memory.ts";
import type { ListedFile, MemoryReads } from "../memory/desk/memory-reads.ts";
import { agentOf, showHit, showMemoryChange, showMemoryFile } from "../records/shown-memory.ts";
import type { Handlers } from "./caller.ts";

/** Memory as it is looked at: with the service, and without it over its files. */

export type MemorySource = {
  /** @throws AgentError memory.unavailable */
  readonly memory: () => Promise<MemoryReads>;
  readonly config: () => { readonly agents: readonly { readonly id: string }[] };
};

type Methods = "memory.search" | "memory.files" | "memory.show" | "memory.log" | "memory.diff";

export function memoryReads(source: MemorySource): Handlers<Methods> {
  const { memory } = source;
  return {
    "memory.search": async ({ query, agent, limit }) => {
      const reads = await memory();
      if (agent !== undefined) await checkAgent(source, reads, agent);
      const which = { text: query, limit, ...(agent === undefined ? {} : { agent }) };
      return (await reads.search(which)).map(showHit);
    },
    "memory.files": async () => {
      const { files, skipped } = await (await memory()).list();
      return { files: files.flatMap(ofPartition), skipped };
    },
    "memory.show": async ({ path }) => {
      const { partition, bytes, text } = await (await memory()).show(path);
      return { path, partition, agent: agentOf(partition), bytes, text };
    },
    "memory.log": async ({ path, limit }) => {
      const which = { limit, ...(path === undefined ? {} : { path }) };
      return (await (await memory()).log(which)).map(showMemoryChange);
    },
    "memory.diff": async ({ id }) => {
      const { change, diff } = await (await memory()).diffOf(id);
      return { ...showMemoryChange(change), diff };
    },
  };
}

/** An agent that was removed may have left memories. @throws AgentError agent.not_found */
async function checkAgent(
  { config }: MemorySource,
  reads: MemoryReads,
  agent: string,
): Promise<void> {
  if (config().agents.some(({ id }) => id === agent)) return;
  const { files } = await reads.list();
  if (files.some(({ path }) => path.startsWith(`${agent}/`))) return;
  throw new AgentError("agent.not_found", `No agent is called ${agent}.`, {
    hint: "`statehive agents list` lists them",
  });
}

function ofPartition(file: ListedFile) {
  const { partition } = file;
  return partition === null ? [] : [showMemoryFile(file, partition)];
}

export async function memoryStatsOf(reads: MemoryReads): Promise<MemoryStats> {
  const { files, skipped } = await reads.list();
  const partitions = new Map<string, { files: number; bytes: number }>();
  for (const { partition, bytes } of files) {
    if (partition === null) continue;
    const sum = partitions.get(partition) ?? { files: 0, bytes: 0 };
    partitions.set(partition, { files: sum.files + 1, bytes: sum.bytes + bytes });
  }
  const rows = [...partitions].map(([partition, sum]) => ({
    partition,
    agent: agentOf(partition),
    ...sum,
  }));
  return {
    files: rows.reduce((sum, row) => sum + row.files, 0),
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    skipped,
    index: await reads.indexStats().catch(nullIfUnreadable),
    partitions: rows,
  };
}

/** What can be said where the index of memory cannot be read. */
export function nullIfUnreadable(error: unknown): null {
  if (error instanceof AgentError && /^index\.|^memory\.unavailable$/.test(error.code)) return null;
  throw error;
}
