import { createChangeMemory } from "../../../../src/actors/memory/changing/change-memory.ts";
import { tidyStagings } from "../../../../src/actors/memory/changing/tidy-stagings.ts";
import { createMemoryStore } from "../../../../src/adapters/engine/memory-store.ts";
import {
  createFakeMemoryFiles,
  type FakeMemoryFiles,
} from "../../../../src/adapters/memory-files/fake-memory-files.ts";
import { createFakeMemoryVersions } from "../../../../src/adapters/memory-files/fake-memory-versions.ts";
import { lineDiff } from "../../../../src/adapters/text-diff/line-diff.ts";
import { allTables } from "../../../../src/app/hive-engine.ts";
import type { MemoryFiles } from "../../../../src/ports/memory-files.ts";
import type { MemoryVersions } from "../../../../src/ports/memory-versions.ts";
import type { ChangeMemoryInput, ChangeMemoryOutput } from "../../../../src/schema/activities.ts";
import { AgentError, type ErrorData, toErrorData } from "../../../../src/schema/errors.ts";
import type { Json } from "../../../../src/schema/json.ts";
import {
  type MemoryChangeRow,
  memoryChangeTable,
} from "../../../../src/schema/rows/memory-rows.ts";
import { memoryNow } from "../../../support/memory-hive.ts";

/** The activity without an engine around it: its attempts, their deaths and their rows, one by one. */

export type ChangeBench = {
  readonly files: FakeMemoryFiles;
  readonly versions: MemoryVersions;
  /** Attempts under one key until one ends, and its rows. @param diesAt the call of files or versions that the first does not survive */
  change(
    input: Partial<ChangeMemoryInput>,
    diesAt?: Death,
  ): Promise<ChangeMemoryOutput | ErrorData>;
  /** Oldest first. */
  rows(): MemoryChangeRow[];
  text(hash: string | null): Promise<string | null>;
  /** Calls of the last first attempt. */
  calls(): number;
};

/** The process ends before the call has done anything, or when it has. */
export type Death = { readonly call: number; readonly when: "before" | "after" };

class Died extends Error {}

export function createChangeBench(
  initial: Readonly<Record<string, string | Uint8Array>> = {},
): ChangeBench {
  const files = createFakeMemoryFiles(initial);
  const versions = createFakeMemoryVersions();
  const store = createMemoryStore({ tables: allTables });
  let keys = 0;
  let calls = 0;
  const activity = (death: Death | undefined) => {
    return createChangeMemory({
      memory: {
        files: mortal(files, death, () => (calls += 1)),
        versions: mortal(versions, death, () => (calls += 1)),
        diff: lineDiff,
        refresh: async () => {},
        timeZone: "UTC",
      },
      read: () => store.committed,
    });
  };
  const attempt = (input: ChangeMemoryInput, key: string, death?: Death) =>
    activity(death).run({
      input,
      key,
      attempt: 1,
      address: "memory/change/x",
      trace: "t1",
      signal: new AbortController().signal,
      notify: () => {},
    });
  const settle = async (input: ChangeMemoryInput, key: string, settlement: Settled) => {
    const attempted = { address: "x", key, input, trace: "t1", attempt: 1, at: memoryNow };
    store.begin();
    activity(undefined).settled?.(store, { ...attempted, settlement, isLost: false });
    await store.commit();
  };
  const ended = async (work: Promise<ChangeMemoryOutput>): Promise<Settled> => {
    try {
      return { ok: true, output: (await work) as unknown as Json };
    } catch (thrown) {
      if (thrown instanceof AgentError) return { ok: false, error: toErrorData(thrown) };
      throw thrown;
    }
  };
  return {
    files,
    versions,
    change: async (given, diesAt) => {
      const input: ChangeMemoryInput = {
        changes: [],
        kind: "write",
        by: "agent:main",
        reason: "",
        session_id: null,
        ...given,
      };
      keys += 1;
      calls = 0;
      const key = `k${keys}`;
      let settlement: Settled;
      try {
        settlement = await ended(attempt(input, key, diesAt));
      } catch (thrown) {
        if (!(thrown instanceof Died)) throw thrown;
        await tidyStagings(files, versions);
        settlement = await ended(attempt(input, key));
      }
      await settle(input, key, settlement);
      return settlement.ok
        ? (settlement.output as unknown as ChangeMemoryOutput)
        : settlement.error;
    },
    rows: () => store.select(memoryChangeTable, { index: "by_n" }),
    text: async (hash) => {
      if (hash === null) return null;
      const content = await versions.read(hash);
      return content === undefined ? `version ${hash} is gone` : new TextDecoder().decode(content);
    },
    calls: () => calls,
  };
}

type Settled =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly error: ErrorData };

/** Reads are calls, too: nothing can be known to come between two of them. */
function mortal<Part extends MemoryFiles | MemoryVersions>(
  part: Part,
  death: Death | undefined,
  count: () => number,
): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== "function") return own;
      return async (...given: unknown[]) => {
        const isLast = count() === death?.call;
        if (isLast && death?.when === "before") throw new Died();
        const result: unknown = await Reflect.apply(own, target, given);
        if (isLast) throw new Died();
        return result;
      };
    },
  });
}
