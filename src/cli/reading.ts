import { AgentError } from "../schema/errors.ts";
import type { ParamsOf, ReadMethod, Results } from "../schema/socket/protocol.ts";
import { type CommandContext, openConnection } from "./command-context.ts";
import { checkedConfig } from "./lifecycle/checked-config.ts";
import { shown } from "../text/shown.ts";

/** Where a command that only looks gets its rows from: the service, or the file when none answers. */
export type RecordSource = {
  call<M extends ReadMethod>(method: M, params: ParamsOf<M>): Promise<Results[M]>;
  close(): void | Promise<void>;
};

/** @throws AgentError as `openRecordSource`, and what the service throws */
export async function reading<T>(
  context: CommandContext,
  ask: (source: RecordSource) => Promise<T>,
): Promise<T> {
  const source = await openRecordSource(context);
  try {
    return await ask(source);
  } finally {
    await source.close();
  }
}

/** Says on stderr when it is the file. @throws AgentError service.not_running (nor is there a file), service.other_version,
 *  config.invalid, store.newer, store.corrupt, store.unavailable */
export async function openRecordSource(context: CommandContext): Promise<RecordSource> {
  try {
    return await openConnection(context);
  } catch (error) {
    return openFile(context, whyAbsent(error), error);
  }
}

/** @throws what was thrown, where it is no absence of the service */
export function whyAbsent(error: unknown): string {
  const why = error instanceof AgentError ? absences[error.code] : undefined;
  if (why === undefined) throw error;
  return why;
}

const absences: { readonly [code: string]: string } = {
  "service.not_running": "the service is not running",
  "service.not_answering": "the service does not answer",
};

async function openFile(
  context: CommandContext,
  why: string,
  absence: unknown,
): Promise<RecordSource> {
  const { isHome } = await import("../config/home.ts");
  if (!isHome(context.home)) throw absence;
  const { config } = await checkedConfig(context);
  const { openRecords } = await import("../app/database/open-records.ts");
  try {
    const records = await openRecords(config);
    context.note(`${why}; read from the file ${shown(records.file)}`);
    return records;
  } catch (error) {
    if (error instanceof AgentError && error.code === "file.not_found") throw absence;
    throw error;
  }
}
