import type { CommittedReader } from "../../ports/store.ts";
import { AgentError } from "../../schema/errors.ts";
import type { Table } from "../../schema/rows/table.ts";
import { copyAside, hasIndex, hasLog } from "./copy-aside.ts";
import { pathOfUrl, readOnlyName, sizeOf, unchangingName } from "../libsql/libsql-file.ts";
import { latestVersion, storeMigrations, versionOf } from "./libsql-migrations.ts";
import { LibsqlReader } from "./libsql-reader.ts";

/** Reading a database file while no service runs, or while one hangs: nothing is made beside the file, migrated or held up.
 *  A file without a log is read as it stands; a log is read through the index that its writer left beside it, or from a copy
 *  of both where there is none. */

export type ReadOnlyOptions = {
  /** `file:/absolute/path` */
  readonly url: string;
  readonly tables: readonly Table[];
  /** For tests of migrating; else the product's own. */
  readonly migrations?: readonly string[];
};

export type ReadOnlyFile = { readonly committed: CommittedReader; close(): Promise<void> };

/** @throws AgentError `file.not_found`, `store.newer`, `store.corrupt` or `store.unavailable` (not migrated yet, or unreadable) */
export async function openReadOnly(options: ReadOnlyOptions): Promise<ReadOnlyFile> {
  const path = pathOfUrl(options.url);
  const views = new Views(path, options);
  await views.present();
  const committed: CommittedReader = {
    get: (table, ...key) => views.read((reader) => reader.get(table, ...key)),
    select: (table, query) => views.read((reader) => reader.select(table, query)),
    count: (table, query) => views.read((reader) => reader.count(table, query)),
  };
  return { committed, close: () => views.close() };
}

type View = {
  readonly reader: LibsqlReader;
  /** False for a view that would not see what a service writes from now on. */
  readonly follows: boolean;
  readonly leave: () => void;
};

class Views {
  private readonly path: string;
  private readonly options: ReadOnlyOptions;
  private view: View | undefined;

  constructor(path: string, options: ReadOnlyOptions) {
    this.path = path;
    this.options = options;
  }

  /** Again, when a service began to write meanwhile. */
  async read<T>(ask: (reader: LibsqlReader) => Promise<T>): Promise<T> {
    const view = await this.present();
    const asked = await ask(view.reader).then(
      (rows) => ({ rows }),
      (error: unknown) => ({ error }),
    );
    if (this.isOutdated(view)) return this.read(ask);
    if ("error" in asked) throw asked.error;
    return asked.rows;
  }

  async present(): Promise<View> {
    if (this.view !== undefined && !this.isOutdated(this.view)) return this.view;
    await this.close();
    this.view = openView(this.path, this.options);
    return this.view;
  }

  async close(): Promise<void> {
    const { view } = this;
    this.view = undefined;
    await view?.reader.close();
    view?.leave();
  }

  private isOutdated({ follows }: View): boolean {
    return !follows && hasIndexedLog(this.path);
  }
}

function openView(path: string, options: ReadOnlyOptions): View {
  const size = sizeIfReadable(path);
  if (size === undefined) {
    throw new AgentError("file.not_found", `there is no database ${path}`, {
      hint: "the service makes it at its first start",
    });
  }
  if (!hasLog(path)) return { ...viewOf(path, unchangingName(path), options), follows: false };
  if (hasIndexedLog(path)) return { ...viewOf(path, readOnlyName(path), options), follows: true };
  const copy = copyAside(path);
  try {
    const view = viewOf(path, readOnlyName(copy.path), options);
    return { ...view, follows: false, leave: copy.remove };
  } catch (error) {
    copy.remove();
    throw error;
  }
}

function viewOf(path: string, name: string, options: ReadOnlyOptions) {
  const { tables, migrations = storeMigrations } = options;
  const version = sizeIfReadable(path) === 0 ? 0 : versionOf({ path, name }, migrations);
  if (version !== latestVersion(migrations)) {
    throw new AgentError(
      "store.unavailable",
      `${path} has version ${version}, which only a start of the service brings up to date`,
      { hint: "`statehive start` does it" },
    );
  }
  return { reader: new LibsqlReader(name, tables), leave: () => {} };
}

function hasIndexedLog(path: string): boolean {
  return hasLog(path) && hasIndex(path);
}

function sizeIfReadable(path: string): number | undefined {
  try {
    return sizeOf(path);
  } catch (error) {
    throw new AgentError("store.unavailable", `${path} cannot be read: ${String(error)}`, {
      hint: "mend the rights of the home",
      cause: error,
    });
  }
}
