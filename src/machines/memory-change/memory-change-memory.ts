import { assign } from "xstate";
import type { ChangeMemoryInput, ChangeMemoryOutput } from "../../schema/activities.ts";
import type { MemoryChangeContext } from "../../schema/contexts/memory-change-context.ts";
import type { ErrorData } from "../../schema/errors.ts";
import type { EventData, EventMeta } from "../../schema/events/event.ts";

/** What a change of memory remembers: what is asked for, and what became of it. */

export type MemoryChangeEvent =
  | { readonly type: "xstate.done.actor.changeMemory"; readonly output: ChangeMemoryOutput }
  | { readonly type: "xstate.error.actor.changeMemory"; readonly error: ErrorData };

type Known = { readonly context: MemoryChangeContext; readonly event: EventData };

const remember = (change: (event: MemoryChangeEvent) => Partial<MemoryChangeContext>) =>
  assign<MemoryChangeContext, EventData, undefined, EventData, never>(({ event }: Known) =>
    change(event as unknown as MemoryChangeEvent),
  );

export function newMemoryChange({
  input,
}: {
  readonly input: ChangeMemoryInput & { $: EventMeta };
}): MemoryChangeContext {
  const { $: _meta, changes, ...asked } = input;
  return {
    ...asked,
    changes: changes as MemoryChangeContext["changes"],
    changed: [],
    error: null,
  };
}

export const rememberChanged = remember((event) =>
  event.type === "xstate.done.actor.changeMemory"
    ? { changed: event.output.changed.map((file) => ({ ...file })) }
    : {},
);

export const rememberFailure = remember((event) =>
  event.type === "xstate.error.actor.changeMemory" ? { error: { ...event.error } } : {},
);
