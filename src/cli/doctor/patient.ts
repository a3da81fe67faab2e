import type { LoadResult } from "../../config/load-config.ts";
import type { CommandContext } from "../command-context.ts";

/** What every check is given. */
export type Patient = {
  readonly context: CommandContext;
  /** Null where there is no home yet. */
  readonly config: LoadResult | null;
  /** Whether the providers may be asked. */
  readonly online: boolean;
  /** Null where the system knows no users. */
  readonly uid: number | null;
};

/** The database's URL, also where the configuration is at fault and only the default is known. */
export function databaseUrl({ config, context }: Patient): string {
  const fallback = `file:${context.home}/data/statehive.db`;
  if (config === null || !config.ok) return fallback;
  const { type, url } = config.config.engine;
  return type === "memory" ? "memory" : url;
}
