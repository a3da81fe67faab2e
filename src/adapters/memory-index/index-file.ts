import { statSync } from "node:fs";
import type { SqlValue } from "../libsql/libsql-connection.ts";
import type { LibsqlSideConnection } from "../libsql/libsql-connection.ts";
import { connectToIndex, type IndexConnections, type IndexPlace } from "./connect-to-index.ts";
import type { OwnerLock } from "../engine/libsql-lock.ts";
import { OneAtATime } from "../turns/one-at-a-time.ts";
import { deleteDatabase, inMemory } from "./index-place.ts";
import { damagedVersion } from "./index-schema.ts";
import { ownIndex } from "./own-index.ts";

export type Rows = (sql: string, ...values: SqlValue[]) => Promise<SqlValue[][]>;

/** The open file of the index: one connection that writes, and one that reads beside it. */
export class IndexFile {
  private readonly place: IndexPlace;
  private readonly writes = new OneAtATime();
  private readonly reads: OneAtATime;
  private writer: LibsqlSideConnection;
  private reader: LibsqlSideConnection;
  private readonly lock: OwnerLock;
  /** Where it could not be begun anew, who comes next tries again. */
  private isShut = false;
  private opening: Promise<void> | null = null;

  private constructor(place: IndexPlace, { writer, reader }: IndexConnections, lock: OwnerLock) {
    this.place = place;
    this.lock = lock;
    this.writer = writer;
    this.reader = reader;
    this.reads = reader === writer ? this.writes : new OneAtATime();
  }

  static async open(place: IndexPlace): Promise<IndexFile> {
    const lock = await ownIndex(place.file);
    try {
      return new IndexFile(place, await connectToIndex(place), lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** One transaction: all of it or nothing. */
  write<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return this.writes.run(async () => {
      await this.opened();
      return inTransaction(this.writer, "BEGIN IMMEDIATE", work);
    });
  }

  /** Sees one state of the index, also while others write. */
  read<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return this.reads.run(async () => {
      await this.opened();
      return inTransaction(this.reader, "BEGIN", work);
    });
  }

  /** Moves what was written out of the log beside the file, and empties the log: what was deleted is in neither then.
   *  @returns whether it could; another process may be reading */
  settle(): Promise<boolean> {
    return this.alone(async () => {
      const [[isBusy] = []] = await this.writer.rows("PRAGMA wal_checkpoint(TRUNCATE)");
      return isBusy === 0;
    });
  }

  /** The next opening begins anew. */
  markDamaged(): Promise<void> {
    return this.alone(() => this.writer.exec(`PRAGMA user_version = ${damagedVersion}`));
  }

  get logBytes(): number {
    return this.place.file === inMemory ? 0 : sizeOf(`${this.place.file}-wal`);
  }

  get bytes(): number {
    const { file } = this.place;
    return file === inMemory ? 0 : sizeOf(file) + this.logBytes;
  }

  /** Begins anew with an empty file. */
  restart(): Promise<void> {
    return this.alone(async () => {
      this.closeBoth();
      deleteDatabase(this.place.file);
      await this.opened();
    });
  }

  close(): Promise<void> {
    return this.alone(async () => {
      this.closeBoth();
      await this.lock.release();
    });
  }

  /** While nobody reads or writes. */
  private alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { reads, writes } = this;
    return writes.run(() => (reads === writes ? work() : reads.run(work)));
  }

  private async opened(): Promise<void> {
    if (!this.isShut) return;
    this.opening ??= this.openAgain().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  private async openAgain(): Promise<void> {
    const { writer, reader } = await connectToIndex(this.place);
    this.writer = writer;
    this.reader = reader;
    this.isShut = false;
  }

  private closeBoth(): void {
    if (this.isShut) return;
    this.isShut = true;
    this.writer.close();
    if (this.reader !== this.writer) this.reader.close();
  }
}

async function inTransaction<Result>(
  connection: LibsqlSideConnection,
  begin: "BEGIN" | "BEGIN IMMEDIATE",
  work: (rows: Rows) => Promise<Result>,
): Promise<Result> {
  await connection.exec(begin);
  try {
    const result = await work((sql, ...values) => connection.rows(sql, ...values));
    await connection.exec("COMMIT");
    return result;
  } catch (error) {
    /** Some failures have ended it already. */
    await connection.exec("ROLLBACK").catch(() => {});
    throw error;
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
