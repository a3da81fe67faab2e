import { describe, expect, it } from "vitest";
import { LibsqlConnection } from "../../../src/adapters/libsql/libsql-connection.ts";
import { readText, storedText } from "../../../src/adapters/engine/libsql-text.ts";

function withTable(): LibsqlConnection {
  const connection = new LibsqlConnection(":memory:", 0);
  connection.exec("CREATE TABLE t (a TEXT, b INTEGER)");
  return connection;
}

const internal = expect.objectContaining({ code: "internal" });

describe("the strict connection", () => {
  it.each([
    ["a boolean, which would end the process", true],
    ["undefined", undefined],
    ["a bigint", 5n],
    ["bytes", Buffer.from("x")],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["an object", { a: 1 }],
    ["a date", new Date(0)],
  ])("refuses to bind %s", (_, value) => {
    const statement = withTable().prepare("INSERT INTO t VALUES (?, 1)");
    expect(() => statement.run([value as never])).toThrow(internal);
    expect(() => statement.get([value as never])).toThrow(internal);
    expect(() => statement.all([value as never])).toThrow(internal);
  });

  it("counts the values", () => {
    const statement = withTable().prepare("INSERT INTO t VALUES (?, ?)");
    expect(() => statement.run(["a"])).toThrow(/takes 2 values, not 1/);
    expect(() => statement.run(["a", 1, 2])).toThrow(/takes 2 values, not 3/);
  });

  it("prepares one statement at a time", () => {
    expect(() => withTable().prepare("DELETE FROM t; DROP TABLE t")).toThrow(/one statement/);
  });

  it("reads integers as integers and rows as they are", () => {
    const connection = withTable();
    connection.prepare("INSERT INTO t VALUES (?, ?)").run(["a", 5]);
    const statement = connection.prepare("SELECT a, b, typeof(b) FROM t");
    expect(statement.get([])).toEqual(["a", 5, "integer"]);
    expect(statement.all([])).toEqual([["a", 5, "integer"]]);
    expect(connection.prepare("SELECT a FROM t WHERE b = ?").get([6])).toBeUndefined();
  });

  it("commits beside the main thread what was written on it", async () => {
    const connection = withTable();
    connection.exec("BEGIN IMMEDIATE");
    connection.prepare("INSERT INTO t VALUES (?, ?)").run(["a", 1]);
    expect(connection.inTransaction).toBe(true);
    await connection.execBeside("COMMIT");
    expect(connection.inTransaction).toBe(false);
    expect(connection.value("SELECT count(*) FROM t")).toBe(1);
  });
});

describe("stored text", () => {
  it("differs from the text only where the driver would spoil it", () => {
    expect(storedText("plain 😀\n")).toBe("plain 😀\n");
    expect(storedText("a\0b")).toBe("a\u00100000b");
    expect(storedText("\ud800")).toBe("\u0010d800");
    expect(storedText("\u0010")).toBe("\u00100010");
  });

  it("is read back as it was", () => {
    for (const text of ["", "\0", "\ud83d\ude00\ude00", "\u0010\u0010", "0010\0\0", "a\udfffb"]) {
      expect(readText(storedText(text))).toBe(text);
    }
  });
});
