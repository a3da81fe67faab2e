import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { LibsqlConnection } from "../../../src/adapters/libsql/libsql-connection.ts";
import { storeMigrations } from "../../../src/adapters/engine/libsql-migrations.ts";
import {
  describeSchema,
  describeTables,
  missingFrom,
} from "../../../src/adapters/engine/libsql-schema.ts";
import { schemaOf, selectSql } from "../../../src/adapters/engine/libsql-sql.ts";
import { allTables } from "../../../src/app/hive-engine.ts";
import type { Table } from "../../../src/schema/rows/table.ts";

function pinned(version: number): string {
  const file = new URL(`../../golden/schema-v${version}.sql`, import.meta.url);
  return readFileSync(fileURLToPath(file), "utf8");
}

const table: Table = {
  name: "order",
  columns: { space: "text", id: "integer", data: "json", weight: "real", author: "text" },
  key: ["space", "id"],
  indexes: { by_author: { equals: ["author"], order: ["weight"] } },
};

function executed(...steps: readonly string[]): readonly string[] {
  const connection = new LibsqlConnection(":memory:", 0);
  try {
    for (const step of steps) connection.exec(step);
    return describeSchema(connection);
  } finally {
    connection.close();
  }
}

/** How SQLite would answer a bounded query of each index, in each direction. */
function plansOf(connection: LibsqlConnection): { readonly name: string; readonly plan: string }[] {
  return allTables.flatMap((each) =>
    Object.entries({ ...each.indexes, key: { equals: [], order: each.key } }).flatMap(
      ([index, { equals }]) =>
        [false, true].map((descending) => {
          const query = { index, equals: equals.map(() => 1), from: 1, descending, limit: 1 };
          const sql = selectSql(each, query);
          const rows = connection.rows(`EXPLAIN QUERY PLAN ${sql}`, ...query.equals, 1, 1);
          return { name: `${each.name}.${index}`, plan: rows.map((row) => row[3]).join("; ") };
        }),
    ),
  );
}

describe("the schema of tables", () => {
  it("is readable SQL, with the key at the end of every index", () => {
    expect(schemaOf([table])).toBe(`CREATE TABLE "order" (
  "space" TEXT NOT NULL,
  "id" INTEGER NOT NULL,
  "data" TEXT,
  "weight" REAL,
  "author" TEXT,
  PRIMARY KEY ("space", "id")
);
CREATE INDEX "order_by_author" ON "order" ("author", "weight", "space", "id");
`);
  });

  it("is the same by whichever way it came about", () => {
    const older = {
      ...table,
      columns: { space: "text", id: "integer", author: "text", weight: "real" },
    } as Table;
    const migrated = executed(schemaOf([older]), `ALTER TABLE "order" ADD COLUMN "data" TEXT`);
    expect(migrated).toEqual(describeTables([table]));
  });

  it("tells what a file lacks", () => {
    const connection = new LibsqlConnection(":memory:", 0);
    connection.exec(schemaOf([table]));
    connection.exec(`DROP INDEX "order_by_author"`);
    expect(missingFrom(connection, [table])).toEqual([
      "index order.order_by_author author weight space id",
    ]);
    connection.close();
  });

  it("lets every bounded query of the engine's tables search an index and sort nothing", () => {
    const connection = new LibsqlConnection(":memory:", 0);
    connection.exec(schemaOf(allTables));
    const plans = plansOf(connection);
    connection.close();
    expect(plans.length).toBeGreaterThan(20);
    expect(plans.filter(({ plan }) => !/^SEARCH \S+ USING [^;]*$/.test(plan))).toEqual([]);
  });

  it.each([1, 2, 3, 4])(
    "is reached by the migrations from version %i, which is pinned",
    (version) => {
      const steps = storeMigrations.slice(version - 1);
      expect(steps).not.toEqual([]);
      expect(executed(pinned(version), ...steps)).toEqual(describeTables(allTables));
    },
  );
});
