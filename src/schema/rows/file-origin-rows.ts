import type { Table } from "./table.ts";

/** A file whose content may come from somebody who is not trusted: written by a run that held such text, or its output. */
export type FileOrigins = {
  /** Absolute: agents that share a workspace share its files. */
  workspace: string;
  /** Relative and in normal form; `.`: any file of the workspace. */
  path: string;
  origins: readonly string[];
  at: number;
};

export const fileOriginTable: Table<FileOrigins> = {
  name: "file_origins",
  columns: { workspace: "text", path: "text", origins: "json", at: "integer" },
  key: ["workspace", "path"],
  indexes: { by_workspace: { equals: ["workspace"], order: ["path"] } },
};
