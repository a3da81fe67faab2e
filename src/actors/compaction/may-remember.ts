import { partitionOf } from "../../memory/partitions.ts";
import { type AgentPolicy, verdict } from "../../policy/verdict.ts";
import { noTrust, type Trust } from "../../schema/contexts/trust.ts";
import type { MemoryPartition } from "../../schema/memory.ts";
import { keyIn, placeIn } from "../session-key.ts";

/** Where what is summed up of a conversation may be remembered unasked; null: nowhere. */

type Asked = { readonly session_address: string; readonly trust?: Trust };

/** As if the agent itself wrote to its memory: what its tools may not do, or only with a person's word, is not done for it. */
export function partitionToWrite(
  agent: AgentPolicy,
  { session_address, trust = noTrust }: Asked,
): MemoryPartition | null {
  const place = placeIn(keyIn(session_address));
  const judged = verdict({
    tool: { name: "memory_write", risk: "guarded" },
    capabilities: ["memory.write:own"],
    agent,
    grants: [],
    trust,
  });
  return judged.verdict === "run" ? (partitionOf(place) ?? null) : null;
}
