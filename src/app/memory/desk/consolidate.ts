import { randomUUID } from "node:crypto";
import { endOfActor } from "../../../actors/end-of-actor.ts";
import { storedContext } from "../../../engine/kernel/actor-state.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { ActorRow } from "../../../engine/tables.ts";
import { consolidationWords } from "../../../machines/consolidation/consolidation-words.ts";
import { partitionOfPath } from "../../../memory/partitions.ts";
import type { MemoryFiles } from "../../../ports/memory-files.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { TextDiff } from "../../../ports/text-diff.ts";
import type { ConsolidationContext } from "../../../schema/contexts/consolidation-context.ts";
import { AgentError, type ErrorData } from "../../../schema/errors.ts";
import type { Consolidated } from "../../../schema/shown/shown-memory.ts";
import { keptText } from "./kept-text.ts";

/** Memory that a person has tidied now, or asks what that would change. */

export type ConsolidateParts = {
  readonly engine: Engine;
  readonly files: Pick<MemoryFiles, "list">;
  readonly versions: MemoryVersions;
  readonly diff: TextDiff;
  /** Whoever waits waits no more; what was begun goes on all the same. */
  readonly signal?: AbortSignal;
};

export type ConsolidateRequest = {
  /** The memories of one agent; absent: all, and what agents share. */
  readonly agent?: string;
  readonly isDryRun: boolean;
  /** `cli`, `user:1001`. */
  readonly by: string;
};

/** One memory after the other. Rejects with `memory.not_found`: the agent has none; `activity.aborted`, `engine.closed`. */
export async function consolidate(
  parts: ConsolidateParts,
  request: ConsolidateRequest,
): Promise<readonly Consolidated[]> {
  const partitions = await partitionsOf(parts, request);
  const results: Consolidated[] = [];
  for (const partition of partitions)
    results.push(await consolidateOne(parts, { ...request, partition }));
  return results;
}

async function partitionsOf(
  { files }: ConsolidateParts,
  { agent }: ConsolidateRequest,
): Promise<string[]> {
  const found = (await files.list()).files.map(({ path }) => partitionOfPath(path));
  const partitions = [...new Set(found)].filter((each) => each !== undefined).toSorted();
  if (agent === undefined) return partitions;
  const own = partitions.filter((each) => each.startsWith(`${agent}/`));
  if (own.length > 0) return own;
  throw new AgentError("memory.not_found", `The agent ${agent} has no memory yet.`);
}

async function consolidateOne(
  parts: ConsolidateParts,
  { partition, isDryRun, by }: ConsolidateRequest & { readonly partition: string },
): Promise<Consolidated> {
  const { engine, signal } = parts;
  const address = `memory/consolidation/${randomUUID()}`;
  const ended = endOfActor(engine, address, signal);
  try {
    await engine.create(address, {
      machine: "consolidation",
      input: { partition, by, is_dry_run: isDryRun, is_by_hand: true },
      supervisor: "system",
    });
    return await told(parts, await ended.row);
  } finally {
    ended.forget();
  }
}

async function told({ versions, diff }: ConsolidateParts, row: ActorRow): Promise<Consolidated> {
  const context = storedContext(row.snapshot) as unknown as ConsolidationContext;
  const { partition, plan, is_dry_run, is_changed, model, error } = context;
  const isShown = is_dry_run || is_changed;
  const files = isShown ? (plan?.files ?? []) : [];
  return {
    partition,
    state: row.state === "done" ? "done" : "failed",
    is_dry_run,
    summary: consolidationWords(context),
    model,
    notes: plan?.notes ?? [],
    files: await Promise.all(
      files.map(async ({ path, before, after }) => {
        const old = (await keptText(versions, before)) ?? notKept;
        const now = (await keptText(versions, after)) ?? notKept;
        return { path, diff: diff.show(old, now, path) };
      }),
    ),
    error: withoutDetails(error ?? row.error),
  };
}

function withoutDetails(error: ErrorData | null): Consolidated["error"] {
  if (error === null) return null;
  const { code, message, retryable } = error;
  return { code, message, retryable };
}

const notKept = "[this version is not kept]\n";
