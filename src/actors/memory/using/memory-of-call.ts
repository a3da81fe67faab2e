import { isKnownAlready } from "../../../memory/entries/known-already.ts";
import { untrustedOf, userOrigin, withOrigins } from "../../../policy/origins.ts";
import type { CallMemory, Memories } from "../../../ports/memory.ts";
import type { CommittedReader } from "../../../ports/store.ts";
import type { ExecuteToolInput } from "../../../schema/activities.ts";
import { noTrust, type Trust } from "../../../schema/contexts/trust.ts";
import { AgentError } from "../../../schema/errors.ts";
import { taskTable } from "../../../schema/rows/run-rows.ts";
import type { AgentOfRun } from "../../agent-of-run.ts";
import type { Connector } from "../../approvers.ts";
import { keyIn, placeIn } from "../../session-key.ts";
import { readableMemory } from "./readable-memory.ts";
import { memoryUseOf } from "./memory-use.ts";
import { trustOfHits } from "./trust-of-hits.ts";

/** Memory for one call of a tool: at the place of its conversation, as far as policy reaches, and with what it brings. */

const mostWritesOfRun = 32;

export type MemoryOfCallParts = {
  readonly memories: Memories;
  readonly connectors: () => readonly Connector[];
  readonly read: CommittedReader;
};

export type MemoryCall = {
  readonly input: ExecuteToolInput;
  readonly agent: AgentOfRun;
  readonly key: string;
  readonly trace: string;
  readonly signal: AbortSignal;
};

export type MemoryOfCall = {
  readonly memory: CallMemory;
  /** Of all that was found until now. */
  brought(): Trust;
};

export function memoryOfCall(parts: MemoryOfCallParts, call: MemoryCall): MemoryOfCall {
  const { input, agent, signal } = call;
  const memory = parts.memories.of(placeIn(keyIn(input.session_address)));
  let known = noTrust;
  return {
    brought: () => known,
    memory: {
      async search(text, limit) {
        const task = await parts.read.get(taskTable, input.task_id);
        const sources = readableMemory(agent, task);
        const kinds = ["memory", "task"] as const;
        const hits = await memory.search({ text, sources, kinds, limit, signal });
        const connectors = parts.connectors();
        const { session_address } = input;
        known = withOrigins(known, trustOfHits(hits, { session_address, connectors }));
        return hits;
      },
      async write(text, target) {
        await refuseUnlessNew(parts.read, call, text);
        const { run } = agent;
        const origins = untrustedOf([userOrigin(input.session_address)], input.trust?.untrusted);
        return memory.write({
          target,
          entry: { text, origins },
          key: call.key,
          session_id: run?.session_id ?? "",
          trace_id: call.trace,
          signal,
        });
      },
    },
  };
}

/** @throws AgentError memory.refused */
async function refuseUnlessNew(
  read: CommittedReader,
  { input, agent: { run } }: MemoryCall,
  text: string,
): Promise<void> {
  if (run === undefined) return;
  const { session_id, run_id, seq: run_seq } = run;
  const { told, writes } = await memoryUseOf(read, { session_id, run_id, run_seq }, input.call_id);
  if (writes >= mostWritesOfRun)
    throw refused(
      `This run has written to memory ${mostWritesOfRun} times, which is the most; put what is left into the answer.`,
    );
  if (isKnownAlready(text, told))
    throw refused(
      "That stands in memory already: it was recalled or found in this run. Write only what is new about it.",
    );
}

function refused(message: string): AgentError {
  return new AgentError("memory.refused", message);
}
