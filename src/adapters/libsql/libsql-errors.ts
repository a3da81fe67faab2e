import { AgentError } from "../../schema/errors.ts";

/** What SQLite said, in the store port's codes. */

const cannotWriteNow: ReadonlyMap<number, string> = new Map([
  [5, "another process holds its lock"],
  [6, "another connection holds its lock"],
  [7, "there is not enough memory"],
  [8, "it is read-only"],
  [10, "an I/O error"],
  [13, "the disk is full"],
  [14, "it cannot be opened"],
  [15, "its lock cannot be taken"],
]);

const damaged: ReadonlyMap<number, string> = new Map([
  [11, "its pages do not fit together"],
  [26, "it is not a database"],
]);

/** `what` begins the message: "commit", "open /path/x.db". */
export function storeError(what: string, thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const code = primaryCode(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const unavailable = cannotWriteNow.get(code);
  if (unavailable !== undefined) {
    return new AgentError("store.unavailable", `${what}: ${unavailable} (${message})`, {
      retryable: true,
      cause: thrown,
    });
  }
  const corrupt = damaged.get(code);
  if (corrupt !== undefined) {
    return new AgentError("store.corrupt", `${what}: ${corrupt} (${message})`, {
      hint: "stop the service and put a copy of the file in its place",
      cause: thrown,
    });
  }
  return new AgentError("internal", `${what}: ${message}`, { cause: thrown });
}

/** SQLite's primary result code; 0 when what was thrown carries none. A failed open has its code in the text alone. */
export function primaryCode(thrown: unknown): number {
  if (!(thrown instanceof Error)) return 0;
  const raw =
    "rawCode" in thrown && typeof thrown.rawCode === "number" ? thrown.rawCode : undefined;
  if (raw !== undefined) return raw & 0xff;
  const atOpen = /Unable to open connection.*: (\d+)"?\)?$/.exec(thrown.message);
  return atOpen === null ? 0 : Number(atOpen[1]) & 0xff;
}
