import type { Engine } from "../../../engine/engine.ts";
import { storedContext } from "../../../engine/kernel/actor-state.ts";
import { type ActorRow, actorTable } from "../../../engine/tables.ts";
import type { MemoryVersions } from "../../../ports/memory-versions.ts";
import type { ChangedFile, ChangeMemoryInput } from "../../../schema/activities.ts";
import { AgentError, type ErrorData } from "../../../schema/errors.ts";
import type { FileChange } from "../../../schema/memory.ts";
import { endOfActor } from "../../end-of-actor.ts";
import { addressOfChange, stagedName } from "./staged-changes.ts";

export type Posting = {
  readonly engine: Engine;
  readonly versions: MemoryVersions;
  readonly trace?: string;
  /** Whoever waits waits no more; the change is made all the same. */
  readonly signal?: AbortSignal;
};

type Asked = ChangeMemoryInput & { readonly changes: readonly FileChange[] };

/** An actor of its own makes the change; made once for its key, which is fit for an address. Resolves with what was changed;
 *  rejects with what went wrong, or with `activity.aborted`. */
export async function postMemoryChange(
  { engine, versions, trace, signal }: Posting,
  input: Asked,
  key: string,
): Promise<readonly ChangedFile[]> {
  const address = addressOfChange(key);
  const ended = endOfActor(engine, address, signal);
  try {
    const lives = await engine.read.get(actorTable, address);
    if (lives === undefined) {
      const staged = await stagedIn(versions, input, key);
      try {
        await beginning(engine, address, {
          input: staged,
          ...(trace === undefined ? {} : { trace }),
        });
      } catch (thrown) {
        await versions.forgetNote(stagedName(key));
        throw thrown;
      }
    }
    const row = await ended.row;
    await versions.forgetNote(stagedName(key)); // who asked at the same moment may have staged it after the change was made
    return outcomeOf(row);
  } finally {
    ended.forget();
  }
}

/** Whoever forgets a text later could not reach it in events and snapshots: it goes beside them. */
async function stagedIn(
  versions: MemoryVersions,
  input: Asked,
  key: string,
): Promise<ChangeMemoryInput> {
  const hasText = input.changes.some(
    ({ op }) => op === "append" || op === "replace" || op === "forget",
  );
  if (!hasText) return input;
  const name = stagedName(key);
  await versions.note(name, JSON.stringify(input.changes));
  return { ...input, changes: name };
}

async function beginning(
  engine: Engine,
  address: string,
  { input, trace }: { readonly input: ChangeMemoryInput; readonly trace?: string },
): Promise<void> {
  try {
    await engine.create(address, {
      machine: "memory_change",
      input,
      supervisor: "system",
      ...(trace === undefined ? {} : { trace }),
    });
  } catch (thrown) {
    if (!(thrown instanceof AgentError && thrown.code === "actor.exists")) throw thrown;
  }
}

function outcomeOf({ snapshot, state, error }: ActorRow): readonly ChangedFile[] {
  const context = storedContext(snapshot);
  if (state === "done") return context["changed"] as unknown as readonly ChangedFile[];
  const { code, message, ...options } = (context["error"] ?? error ?? unknownEnd) as ErrorData;
  throw new AgentError(code, message, options);
}

const unknownEnd: ErrorData = {
  code: "memory.unavailable",
  message: "The change was set aside.",
  retryable: false,
};
