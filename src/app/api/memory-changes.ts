import type { ChangedFile } from "../../schema/activities.ts";
import { sameness } from "../../memory/entries/entries.ts";
import { directoryOf, partitionOfPath } from "../../memory/partitions.ts";
import { AgentError } from "../../schema/errors.ts";
import type { ParsedParams } from "../../schema/socket/protocol.ts";
import type { MemoryDesk } from "../memory/desk/memory-desk.ts";
import type { Forgettable } from "../memory/desk/seek-passages.ts";
import type { Handlers } from "./caller.ts";
import { memoryStatsOf } from "./memory.ts";

/** How memory is, and how people change it; each change is an actor, and can be taken back, but for a forgetting.
 *  @param memory rejects with AgentError memory.unavailable */
export function memoryHandlers(
  memory: () => Promise<MemoryDesk>,
): Handlers<
  "memory.stats" | "memory.restore" | "memory.forget" | "memory.consolidate" | "memory.reindex"
> {
  return {
    "memory.stats": async () => memoryStatsOf(await memory()),
    "memory.restore": async ({ id, whole }, { name }) => {
      const changed = await (await memory()).restore(id, { by: name, whole });
      return { changed: changed.map(showChanged) };
    },
    "memory.forget": async (asked, { name }) => {
      const desk = await memory();
      const what = forgettableOf(asked);
      const { passages, earlierVersions, binding } = await desk.seek(what);
      const { files, skipped } = await desk.list();
      const named = namesHolding(files, asked.text);
      const not_reached = [...leftOut(skipped.length), ...inNames(named), ...notOfMemory];
      const told = { passages, earlier_versions: earlierVersions, binding, not_reached };
      if (asked.binding === undefined) return { ...told, changed: [] };
      if (asked.binding !== binding) throw changedMeanwhile();
      const changed = await desk.forget(what, { by: name });
      return { ...told, changed: changed.map(showChanged) };
    },
    "memory.consolidate": async ({ agent, dry_run: isDryRun }, { name: by }) => {
      const desk = await memory();
      const which = agent === undefined ? {} : { agent };
      return [...(await desk.consolidate({ ...which, isDryRun, by }))];
    },
    "memory.reindex": async () => {
      const desk = await memory();
      await desk.reindex();
      return memoryStatsOf(desk);
    },
  };
}

/** Forgetting is of memory; a conversation in which it was said is a record of its own. */
const notOfMemory = [
  "conversations in which it was said: their messages, tool calls, approvals, tasks and journal in data/statehive.db, and sessions/",
  "copies of the home: backups made before, versioned folders, your editor's",
];

function leftOut(files: number): string[] {
  if (files === 0) return [];
  const which = files === 1 ? "1 file that is" : `${files} files that are`;
  return [`${which} left out of memory, as \`statehive memory stats\` says`];
}

/** A name stays findable, and stays in the log of changes. */
function namesHolding(files: readonly { readonly path: string }[], text: string | undefined) {
  const wanted = text === undefined ? "" : sameness(text);
  if (wanted === "") return [];
  return files.map(({ path }) => path).filter((path) => sameness(nameIn(path)).includes(wanted));
}

function nameIn(path: string): string {
  const partition = partitionOfPath(path);
  return partition === undefined ? path : path.slice(directoryOf(partition).length);
}

function inNames([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return [];
  const which =
    others.length === 0 ? "the name of" : `the names of ${others.length + 1} files, as of`;
  return [`${which} ${first}: give it another, or delete it`];
}

/** @throws AgentError usage */
function forgettableOf(asked: ParsedParams<"memory.forget">): Forgettable {
  const { path, line_start, text } = asked;
  if (text !== undefined && path === undefined) return { text };
  if (text === undefined && path !== undefined && line_start !== undefined) {
    const { line_end = line_start } = asked;
    if (line_end < line_start) throw backwards(line_start, line_end);
    return { path, line_start, line_end };
  }
  throw new AgentError("usage", "forgetting needs a path with its lines, or a text", {
    hint: "`statehive memory search` finds the lines",
  });
}

function backwards(first: number, last: number): AgentError {
  return new AgentError("usage", `lines ${first} to ${last} end before they begin`, {
    hint: "say the first line first",
  });
}

function showChanged({ path, kind, added, removed, before, after }: ChangedFile) {
  return { path, kind, added, removed, is_new: before === null, is_gone: after === null };
}

function changedMeanwhile(): AgentError {
  return new AgentError("memory.changed", "Memory has changed since this was shown.", {
    hint: "look at it again, and decide anew",
  });
}
