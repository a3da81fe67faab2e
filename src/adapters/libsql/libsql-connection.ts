import SyncDatabase from "libsql";
import AsyncDatabase from "libsql/promise";
import { AgentError } from "../../schema/errors.ts";
import { storeError } from "./libsql-errors.ts";

/** The one place that touches the driver. It refuses what the driver would do wrong or die of: bindings that are not string,
 *  finite number or null (a boolean aborts the process), a wrong number of them (missing ones become NULL), several statements
 *  in one text (the rest is not run). Why both of the driver's classes are used on one handle: docs/decisions/0007-libsql-file.md */

export type SqlValue = string | number | null;

type NativeStatement = {
  raw(): NativeStatement;
  run(values: readonly SqlValue[]): unknown;
  get(values: readonly SqlValue[]): SqlValue[] | undefined;
  all(values: readonly SqlValue[]): SqlValue[][];
};

export class LibsqlConnection {
  private readonly database: SyncDatabase.Database;
  private closed = false;

  /** @param file a path, or a `file:` URL with SQLite's parameters */
  constructor(file: string, busyTimeoutMs: number) {
    try {
      this.database = new SyncDatabase(file, { timeout: busyTimeoutMs });
    } catch (error) {
      throw storeError(`open ${file}`, error);
    }
  }

  get inTransaction(): boolean {
    return !this.closed && this.database.inTransaction;
  }

  exec(sql: string): void {
    try {
      this.database.exec(sql);
    } catch (error) {
      throw storeError(sql, error);
    }
  }

  /** Runs on a thread of the driver's own; the caller keeps every other statement away until it has ended. */
  async execBeside(sql: string): Promise<void> {
    try {
      await AsyncDatabase.prototype.exec.call(this.database, sql);
    } catch (error) {
      throw storeError(sql, error);
    }
  }

  prepare(sql: string): LibsqlStatement {
    const parameters = countParameters(sql);
    try {
      const native = this.database.prepare(sql) as unknown as NativeStatement;
      return new LibsqlStatement(native, { sql, parameters });
    } catch (error) {
      throw storeError(sql, error);
    }
  }

  /** The rows of a statement that is run once. */
  rows(sql: string, ...values: SqlValue[]): SqlValue[][] {
    return this.prepare(sql).all(values);
  }

  /** The first column of the first row. */
  value(sql: string): SqlValue {
    return this.rows(sql)[0]?.[0] ?? null;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.database.close();
  }
}

type StatementText = { readonly sql: string; readonly parameters: number };

export class LibsqlStatement {
  private readonly native: NativeStatement;
  private readonly text: StatementText;
  private readonly isRead: boolean;

  constructor(native: NativeStatement, text: StatementText) {
    this.text = text;
    this.isRead = /^(select|pragma|explain)\b/i.test(text.sql);
    this.native = this.isRead ? native.raw() : native;
  }

  run(values: readonly SqlValue[]): void {
    checkValues(this.text, values);
    try {
      this.native.run(values);
    } catch (error) {
      throw storeError(this.text.sql, error);
    }
  }

  get(values: readonly SqlValue[]): SqlValue[] | undefined {
    checkValues(this.text, values);
    try {
      return this.native.get(values);
    } catch (error) {
      throw storeError(this.text.sql, error);
    }
  }

  all(values: readonly SqlValue[]): SqlValue[][] {
    checkValues(this.text, values);
    try {
      return this.native.all(values);
    } catch (error) {
      throw storeError(this.text.sql, error);
    }
  }
}

/** Parameters are `?` alone; a `?` in a literal is not foreseen. */
function countParameters(sql: string): number {
  if (/;\s*\S/.test(sql)) throw new AgentError("internal", `one statement at a time: ${sql}`);
  return sql.split("?").length - 1;
}

function checkValues({ sql, parameters }: StatementText, values: readonly SqlValue[]): void {
  if (values.length !== parameters) {
    throw new AgentError("internal", `${sql} takes ${parameters} values, not ${values.length}`);
  }
  for (let at = 0; at < parameters; at += 1) {
    const value = values[at];
    if (typeof value === "string" || value === null || Number.isFinite(value)) continue;
    throw new AgentError(
      "internal",
      `${sql}: value ${at + 1} is ${typeof value}, not text, a number or null`,
    );
  }
}

/** The driver's other class: statements begin on a thread of its own. For reading beside the writer. */
export class LibsqlSideConnection {
  private readonly database: AsyncDatabase;

  constructor(file: string, busyTimeoutMs: number) {
    try {
      this.database = new AsyncDatabase(file, { timeout: busyTimeoutMs });
    } catch (error) {
      throw storeError(`open ${file}`, error);
    }
  }

  /** @param what begins the message of a failure */
  async exec(sql: string, what = sql): Promise<void> {
    try {
      await this.database.exec(sql);
    } catch (error) {
      throw storeError(what, error);
    }
  }

  async prepare(sql: string): Promise<LibsqlSideStatement> {
    const parameters = countParameters(sql);
    try {
      const native = (await this.database.prepare(sql)) as NativeSideStatement;
      return new LibsqlSideStatement(native.reader ? native.raw() : native, { sql, parameters });
    } catch (error) {
      throw storeError(sql, error);
    }
  }

  /** All rows of a statement that is run once. Its first step is taken on the other thread: all of a write, and all of a read that
   *  has to sort. */
  async rows(sql: string, ...values: SqlValue[]): Promise<SqlValue[][]> {
    const statement = await this.prepare(sql);
    return [...(await statement.rows(values))];
  }

  close(): void {
    this.database.close();
  }
}

type NativeSideStatement = {
  readonly reader: boolean;
  raw(): NativeSideStatement;
  iterate(values: readonly SqlValue[]): Promise<Iterable<SqlValue[]>>;
};

export class LibsqlSideStatement {
  private readonly native: NativeSideStatement;
  private readonly text: StatementText;

  constructor(native: NativeSideStatement, text: StatementText) {
    this.native = native;
    this.text = text;
  }

  /** All rows must be taken: until then the statement keeps its view of the file. */
  async rows(values: readonly SqlValue[]): Promise<Iterable<SqlValue[]>> {
    checkValues(this.text, values);
    try {
      return this.each(await this.native.iterate(values));
    } catch (error) {
      throw storeError(this.text.sql, error);
    }
  }

  private *each(rows: Iterable<SqlValue[]>): Generator<SqlValue[]> {
    try {
      yield* rows;
    } catch (error) {
      throw storeError(this.text.sql, error);
    }
  }
}
