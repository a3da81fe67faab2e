import { fromPromise, setup } from "xstate";
import type { ChangeMemoryInput, ChangeMemoryOutput } from "../../schema/activities.ts";
import type { MemoryChangeContext } from "../../schema/contexts/memory-change-context.ts";
import type { EventData, EventMeta } from "../../schema/events/event.ts";
import { newMemoryChange, rememberChanged, rememberFailure } from "./memory-change-memory.ts";

/** One change of files of memory that no other actor makes: of a tool, of a person, of what an editor was seen to have done. */
export const memoryChangeMachine = setup({
  types: {
    context: {} as MemoryChangeContext,
    input: {} as ChangeMemoryInput & { $: EventMeta },
    events: {} as EventData,
    tags: {} as "busy" | "terminal",
  },
  actors: {
    changeMemory: fromPromise<ChangeMemoryOutput, ChangeMemoryInput>(() => {
      throw new Error("changeMemory is an activity: the engine runs it");
    }),
  },
  actions: { rememberChanged, rememberFailure },
}).createMachine({
  id: "memory_change",
  version: "1",
  context: newMemoryChange,
  initial: "applying",
  states: {
    applying: {
      description: "The files are being changed, one after the other.",
      tags: ["busy"],
      invoke: {
        src: "changeMemory",
        id: "changeMemory",
        input: ({ context }) => ({
          changes: context.changes as ChangeMemoryInput["changes"],
          kind: context.kind,
          by: context.by,
          reason: context.reason,
          session_id: context.session_id,
        }),
        onDone: { target: "done", actions: "rememberChanged" },
        onError: { target: "failed", actions: "rememberFailure" },
      },
    },
    done: {
      description: "The files are as they were to be.",
      tags: ["terminal"],
      type: "final",
    },
    failed: {
      description: "Not all of it could be done; what was done stands in the log of memory.",
      tags: ["terminal"],
      type: "final",
    },
  },
});
