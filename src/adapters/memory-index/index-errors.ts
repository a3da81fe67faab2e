import { AgentError } from "../../schema/errors.ts";

/** What the store's wrapper said, in the port's codes. */
export function indexError(error: unknown): AgentError {
  if (error instanceof AgentError && passedOn.has(error.code)) return error;
  return new AgentError("index.unavailable", `the index of memory: ${saidBy(error)}`, {
    retryable: error instanceof AgentError && error.retryable,
    hint: isDamage(error)
      ? "the files of memory are whole; `statehive memory reindex` makes the index anew from them"
      : "look at the disk and at the file data/memory.db",
    cause: error,
  });
}

export function isDamage(error: unknown): boolean {
  return error instanceof AgentError && error.code === "store.corrupt";
}

export const indexClosed = () => new AgentError("index.closed", "the index of memory is closed");

export const searchGivenUp = () =>
  new AgentError("activity.aborted", "the search in memory was given up");

const passedOn: ReadonlySet<string> = new Set([
  "index.unavailable",
  "index.closed",
  "activity.aborted",
]);

/** Without the statement that the wrapper puts before it. */
function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
