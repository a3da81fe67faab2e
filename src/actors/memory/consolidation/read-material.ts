import type {
  ConsolidationRules,
  Material,
  MemoryText,
} from "../../../memory/consolidation/material.ts";
import { momentOf } from "../../../memory/moment.ts";
import { directoryOf, homeOf, partitionOfPath } from "../../../memory/partitions.ts";
import { decodedText } from "../../../memory/decoded-text.ts";
import { isPermissible } from "../../../policy/verdict.ts";
import type { MemoryFileBytes } from "../../../ports/memory-files.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { SurveyMemoryInput } from "../../../schema/activities.ts";
import type { ConsolidationNote } from "../../../schema/consolidation.ts";
import { consideredTable } from "../../../schema/rows/consolidation-rows.ts";
import { AgentError } from "../../../schema/errors.ts";
import { sharedPartition } from "../../../schema/memory.ts";
import type { Agents } from "../../agent.ts";
import type { Connector } from "../../approvers.ts";
import type { MemoryParts } from "../memory-parts.ts";
import { noMemory } from "../no-memories.ts";
import { trustedIn } from "./trusted-origins.ts";

/** The files of one partition as a consolidation sees them. */

export type MaterialOptions = {
  /** Absent: there is none. */
  readonly memory: Pick<MemoryParts, "files" | "versions" | "timeZone"> | undefined;
  readonly read: () => CommittedReader;
  readonly agents: Agents;
  readonly connectors: () => readonly Connector[];
  readonly rules: () => ConsolidationRules;
};

export type FoundMaterial = {
  readonly material: Material;
  readonly notes: readonly ConsolidationNote[];
  /** Who is asked about what is new; null: nobody. */
  readonly agent_id: string | null;
};

/** Nobody's notes are that long; what is, people tidy themselves. */
const mostBytes = 1_000_000;
const ownCapability = "memory.write:own";
const dailyName = /^(\d{4}-\d{2}-\d{2})\.md$/;
const longTermName = "MEMORY.md";

/** @throws AgentError memory.unavailable, memory.refused, activity.aborted */
export async function readMaterial(
  options: MaterialOptions,
  { partition, at }: Pick<SurveyMemoryInput, "partition" | "at">,
  signal: AbortSignal,
): Promise<FoundMaterial> {
  const { memory, read, connectors } = options;
  if (memory === undefined) throw noMemory();
  const texts: MemoryText[] = [];
  const notes: ConsolidationNote[] = [];
  for (const { path, day } of placesIn(partition, (await memory.files.list()).files)) {
    if (signal.aborted) throw new AgentError("activity.aborted", "The consolidation was stopped.");
    const found = await memory.files.read(path);
    if (found === undefined) continue;
    const text = textIn(found);
    if (typeof text !== "string") {
      notes.push({ kind: "left_alone", path, line: null, text: text.reason });
      continue;
    }
    texts.push({ path, text, day });
  }
  const agent_id = agentOf(partition, options);
  const long_term_path = agent_id === null ? null : `${partition}/${longTermName}`;
  const rows = await read().select(consideredTable, {
    index: "by_partition",
    equals: [partition],
  });
  const material: Material = {
    long_term_path,
    today: momentOf(at, memory.timeZone).day,
    files: texts,
    considered: new Map(rows.map(({ path, entries }) => [path, new Set(entries)])),
    trusts: trustedIn(partition, connectors()),
    rules: rulesFor(partition, { rules: options.rules(), long_term_path, notes }),
  };
  return { material, notes, agent_id };
}

type Place = Pick<MemoryText, "path" | "day">;

/** The notes that the service keeps there: what else lies there is its owner's. */
function placesIn(partition: string, files: readonly { readonly path: string }[]): Place[] {
  const directory = directoryOf(partition);
  return files.flatMap(({ path }): Place[] => {
    if (partitionOfPath(path) !== partition || !path.startsWith(directory)) return [];
    const name = path.slice(directory.length);
    if (name === longTermName || (partition === sharedPartition && /^[^/]+\.md$/.test(name)))
      return [{ path, day: null }];
    const day = dailyName.exec(name)?.[1];
    return day === undefined || Number.isNaN(Date.parse(day)) ? [] : [{ path, day }];
  });
}

function textIn({ content, bytes }: MemoryFileBytes): string | { readonly reason: string } {
  if (content === null || bytes > mostBytes)
    return { reason: `it has ${bytes} bytes, more than ${mostBytes}` };
  return decodedText(content) ?? { reason: "it is not UTF-8 text" };
}

/** Only an agent that may remember by itself has its notes promoted; what agents share, nobody promotes. */
function agentOf(partition: string, { agents }: MaterialOptions): string | null {
  const id = ownerOf(partition);
  const policy = id === undefined ? undefined : agents.get(id)?.policy;
  const mayRemember = policy !== undefined && isPermissible(policy, ownCapability);
  return id !== undefined && mayRemember ? id : null;
}

/** Undefined: of a sub-run's notes, and of what agents share. */
function ownerOf(partition: string): string | undefined {
  const [, , ...below] = partition.split("/");
  return below.length === 0 ? homeOf(partition)?.agent_id : undefined;
}

type Ruling = {
  readonly rules: ConsolidationRules;
  readonly long_term_path: string | null;
  readonly notes: readonly ConsolidationNote[];
};

/** Where MEMORY.md cannot be read, nothing goes there, and nothing goes that might have. */
function rulesFor(partition: string, { rules, long_term_path, notes }: Ruling): ConsolidationRules {
  const isClosed = notes.some(({ path }) => path === long_term_path);
  if (isClosed) return { promote: false, forget_after_days: null };
  const isAgents = ownerOf(partition) !== undefined;
  return isAgents && long_term_path === null ? { ...rules, forget_after_days: null } : rules;
}
