import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RowStore } from "../../src/ports/store.ts";
import type { Query, Table } from "../../src/schema/rows/table.ts";

/** What every row store keeps. */

type NoteRow = {
  space: string;
  number: number;
  author: string | null;
  at: number | null;
  weight: number;
  text: string;
  data: unknown;
};

const noteTable: Table<NoteRow> = {
  name: "notes",
  columns: {
    space: "text",
    number: "integer",
    author: "text",
    at: "integer",
    weight: "real",
    text: "text",
    data: "json",
  },
  key: ["space", "number"],
  indexes: {
    by_author: { equals: ["author"], order: ["at"] },
    by_space: { equals: ["space", "author"], order: ["text"] },
    by_at: { equals: [], order: ["at"] },
  },
};

type EntryRow = { id: number; order: string };

const entryTable: Table<EntryRow> = {
  name: "entries",
  columns: { id: "integer", order: "text" },
  key: ["id"],
  indexes: { by_order: { equals: ["order"], order: ["id"] } },
};

type TallyRow = { name: string; value: number };

const tallyTable: Table<TallyRow> = {
  name: "tallies",
  columns: { name: "text", value: "integer" },
  key: ["name"],
  indexes: {},
};

/** The tables that a store under test is opened with. */
export const contractTables = [noteTable, entryTable, tallyTable] as readonly Table[];

export type StoreUnderTest = {
  readonly store: RowStore;
  /** Closes the store and opens what it kept. */
  reopen(): Promise<RowStore>;
  dispose(): Promise<void>;
};

const note = (changes: Partial<NoteRow>): NoteRow => ({
  space: "home",
  number: 1,
  author: "ann",
  at: 10,
  weight: 0.5,
  text: "a text",
  data: { list: [1, "two", null, true] },
  ...changes,
});

const oddStrings: Readonly<Record<string, string>> = {
  "empty": "",
  "a quote": `it's "so"`,
  "line ends": "a\r\nb\nc\u2028d",
  "NUL": "a\0b\0",
  "a lone surrogate": "x\ud800y\udc00",
  "every control character": String.fromCharCode(...Array.from({ length: 33 }, (_, code) => code)),
  "what looks like an escape": "\u00100000 \\u0000 %00",
  "beyond the first plane": "😀𝒳",
  "the last code units": "\ufffe\uffff",
};

/** A frozen value refuses the change, which is as good. */
function attemptChange(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** What a store in memory does otherwise, to be quick. */
export type StoreExceptions = {
  /** Rows are the caller's own objects. */
  readonly sharesValues?: boolean;
  /** Committed reads see what an open transaction wrote. */
  readonly seesUncommitted?: boolean;
};

export function storeContract(
  subjectName: string,
  open: () => Promise<StoreUnderTest>,
  exceptions: StoreExceptions = {},
): void {
  let subject: StoreUnderTest;
  let store: RowStore;

  beforeEach(async () => {
    subject = await open();
    store = subject.store;
  });

  afterEach(() => subject.dispose());

  const commit = async (work: () => void) => {
    store.begin();
    work();
    await store.commit();
  };
  const put = (...rows: readonly NoteRow[]) =>
    commit(() => {
      for (const row of rows) store.put(noteTable, row);
    });
  const numbers = (query: Query) => store.select(noteTable, query).map((row) => row.number);

  describe(`${subjectName}: rows`, () => {
    it("gives back what was put, by its key", async () => {
      await put(note({ number: 1 }), note({ number: 2, author: null, at: null, data: null }));
      expect(store.get(noteTable, "home", 1)).toEqual(note({ number: 1 }));
      expect(store.get(noteTable, "home", 2)).toEqual(
        note({ number: 2, author: null, at: null, data: null }),
      );
      expect(store.get(noteTable, "home", 3)).toBeUndefined();
      expect(store.get(noteTable, "away", 1)).toBeUndefined();
    });

    it("replaces the whole row that has the key", async () => {
      await put(note({ text: "old", data: { a: 1 } }));
      await put(note({ text: "new", data: null, author: "bob" }));
      expect(store.get(noteTable, "home", 1)).toEqual(
        note({ text: "new", data: null, author: "bob" }),
      );
      expect(store.select(noteTable, { index: "by_author", equals: ["ann"] })).toEqual([]);
    });

    it("changes only the columns of a patch", async () => {
      await put(note({}));
      await commit(() => store.patch(noteTable, ["home", 1], { text: "patched", data: [2] }));
      await commit(() => store.patch(noteTable, ["home", 1], { author: null }));
      expect(store.get(noteTable, "home", 1)).toEqual(
        note({ text: "patched", data: [2], author: null }),
      );
    });

    it("patches and removes nothing where no row has the key", async () => {
      await commit(() => {
        store.patch(noteTable, ["home", 9], { text: "nobody" });
        store.remove(noteTable, "home", 9);
      });
      expect(store.select(noteTable, { index: "key" })).toEqual([]);
    });

    it("removes a row from every index", async () => {
      await put(note({}));
      await commit(() => store.remove(noteTable, "home", 1));
      expect(store.get(noteTable, "home", 1)).toBeUndefined();
      expect(store.select(noteTable, { index: "by_author", equals: ["ann"] })).toEqual([]);
    });

    it("keeps integers and fractions exactly", async () => {
      const values = [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
      const weights = [0.1 + 0.2, 1e300, -5e-324, 3];
      await put(...values.map((at, number) => note({ number, at, weight: weights[number] ?? 0 })));
      const rows = store.select(noteTable, { index: "key" });
      expect(rows.map(({ at }) => at)).toEqual(values);
      expect(rows.map(({ weight }) => weight)).toEqual(weights);
    });

    it.each(Object.entries(oddStrings))("keeps %s in text, keys and json", async (_, odd) => {
      await put(note({ space: odd, text: odd, data: { [`k${odd}`]: [odd] } }));
      const expected = note({ space: odd, text: odd, data: { [`k${odd}`]: [odd] } });
      expect(store.get(noteTable, odd, 1)).toEqual(expected);
      expect(await store.committed.get(noteTable, odd, 1)).toEqual(expected);
      expect(store.select(noteTable, { index: "key", from: odd, upTo: odd })).toEqual([expected]);
    });

    it("keeps large values whole", async () => {
      const text = "0123456789abcdef".repeat(200_000);
      await put(note({ text, data: { text } }));
      const row = store.get(noteTable, "home", 1) as NoteRow;
      expect(row.text === text).toBe(true);
      expect((row.data as { text: string }).text === text).toBe(true);
    });

    it("keeps a key named __proto__ as data", async () => {
      await put(note({ data: JSON.parse('{"__proto__":{"admin":true},"constructor":1}') }));
      const data = store.get(noteTable, "home", 1)?.data as object;
      expect(JSON.stringify(data)).toBe('{"__proto__":{"admin":true},"constructor":1}');
    });

    it("tells json null, false, zero and the empty text apart", async () => {
      const values = [null, false, 0, "", "null", [], {}];
      await put(...values.map((data, number) => note({ number, data })));
      expect(store.select(noteTable, { index: "key" }).map(({ data }) => data)).toEqual(values);
    });

    it("takes columns whose names are words of SQL", async () => {
      await commit(() => store.put(entryTable, { id: 7, order: "b" }));
      expect(store.select(entryTable, { index: "by_order", equals: ["b"] })).toEqual([
        { id: 7, order: "b" },
      ]);
    });

    it.skipIf(exceptions.sharesValues)("gives values of their own", async () => {
      await put(note({ data: { list: [1] } }));
      const read = store.get(noteTable, "home", 1) as NoteRow;
      attemptChange(() => (read.text = "changed"));
      attemptChange(() => (read.data as { list: number[] }).list.push(2));
      const selected = store.select(noteTable, { index: "key" })[0] as NoteRow;
      attemptChange(() => (selected.data as { list: number[] }).list.push(3));
      expect(store.get(noteTable, "home", 1)).toEqual(note({ data: { list: [1] } }));
    });
  });

  describe(`${subjectName}: queries`, () => {
    const at = (number: number, time: number | null, author: string | null = "ann") =>
      note({ number, at: time, author, text: `text ${number}` });

    beforeEach(() =>
      put(
        at(1, 30),
        at(2, 10),
        at(3, 20),
        at(4, 20),
        at(5, null),
        at(6, 20, "bob"),
        at(7, 5, null),
      ),
    );

    it("selects by equal columns in the index's order, ties by key, null first", () => {
      expect(numbers({ index: "by_author", equals: ["ann"] })).toEqual([5, 2, 3, 4, 1]);
      expect(numbers({ index: "by_author", equals: ["bob"] })).toEqual([6]);
      expect(numbers({ index: "by_author", equals: ["eve"] })).toEqual([]);
    });

    it("takes null as a value that columns may equal", () => {
      expect(numbers({ index: "by_author", equals: [null] })).toEqual([7]);
      expect(numbers({ index: "by_space", equals: ["home", null] })).toEqual([7]);
    });

    it("turns the order round, ties too", () => {
      expect(numbers({ index: "by_author", equals: ["ann"], descending: true })).toEqual([
        1, 4, 3, 2, 5,
      ]);
    });

    it.each<[Partial<Query>, number[], number[]]>([
      [{ from: 20 }, [3, 4, 6, 1], [1, 6, 4, 3]],
      [{ after: 20 }, [1], [1]],
      [{ upTo: 20 }, [7, 2, 3, 4, 6], [6, 4, 3, 2, 7]],
      [{ before: 20 }, [7, 2], [2, 7]],
      [{ from: 10, before: 30 }, [2, 3, 4, 6], [6, 4, 3, 2]],
      [{ after: 10, upTo: 30 }, [3, 4, 6, 1], [1, 6, 4, 3]],
      [{ after: 30 }, [], []],
      [{ from: 10, limit: 2 }, [2, 3], [1, 6]],
      [{ limit: 3 }, [5, 7, 2], [1, 6, 4]],
      [{ limit: 0 }, [], []],
    ])("bounds the first order column by %o", (bounds, ascending, descending) => {
      expect(numbers({ index: "by_at", ...bounds })).toEqual(ascending);
      expect(numbers({ index: "by_at", ...bounds, descending: true })).toEqual(descending);
    });

    it("bounds text too", () => {
      const equals = ["home", "ann"];
      expect(numbers({ index: "by_space", equals, after: "text 2", before: "text 5" })).toEqual([
        3, 4,
      ]);
    });

    it("has an index of the key", async () => {
      await put(note({ space: "away", number: 12 }), note({ space: "away", number: 9 }));
      const keys = (query: Partial<Query>) =>
        store.select(noteTable, { index: "key", ...query }).map((row) => [row.space, row.number]);
      expect(keys({ upTo: "away" })).toEqual([
        ["away", 9],
        ["away", 12],
      ]);
      expect(keys({ descending: true, limit: 2 })).toEqual([
        ["home", 7],
        ["home", 6],
      ]);
    });

    it.each([99, 100, 101, 200, 450])("selects %i rows, each once", async (count) => {
      await commit(() => {
        for (let id = 1; id <= count; id += 1) store.put(entryTable, { id, order: "x" });
      });
      const ids = Array.from({ length: count }, (_, index) => index + 1);
      const query: Query = { index: "by_order", equals: ["x"] };
      expect(store.select(entryTable, query).map(({ id }) => id)).toEqual(ids);
      expect((await store.committed.select(entryTable, query)).map(({ id }) => id)).toEqual(ids);
      expect(await store.committed.count(entryTable, query)).toBe(ids.length);
    });

    it("orders numbers as numbers and text as text", async () => {
      await commit(() => {
        for (const id of [10, 9, 100, -1]) store.put(entryTable, { id, order: "n" });
        for (const name of ["b", "a", "B", "a1", "a/1", "ä", ""])
          store.put(tallyTable, { name, value: 1 });
      });
      expect(store.select(entryTable, { index: "key" }).map(({ id }) => id)).toEqual([
        -1, 9, 10, 100,
      ]);
      const names = ["", "B", "a", "a/1", "a1", "b", "ä"];
      expect(store.select(tallyTable, { index: "key" }).map((row) => row.name)).toEqual(names);
    });

    it("tells the different values of an index's columns", async () => {
      await put(at(8, 20));
      const found = store.distinct(noteTable, "by_author", "ann");
      expect(found).toHaveLength(4);
      expect(found).toEqual(
        expect.arrayContaining([null, 10, 20, 30].map((time) => ({ author: "ann", at: time }))),
      );
      expect(store.distinct(noteTable, "by_author", "eve")).toEqual([]);
    });

    it("refuses an index that the table does not have", () => {
      expect(() => store.select(noteTable, { index: "by_nothing" })).toThrow(/by_nothing/);
    });
  });

  describe(`${subjectName}: transactions`, () => {
    it("reads its own writes before the commit", async () => {
      store.begin();
      store.put(noteTable, note({}));
      store.patch(noteTable, ["home", 1], { text: "second" });
      expect(store.get(noteTable, "home", 1)?.text).toBe("second");
      expect(numbers({ index: "by_author", equals: ["ann"] })).toEqual([1]);
      await store.commit();
    });

    it("undoes everything since begin", async () => {
      await put(note({ number: 1 }), note({ number: 2 }));
      store.begin();
      store.put(noteTable, note({ number: 1, text: "replaced", author: "bob" }));
      store.remove(noteTable, "home", 2);
      store.put(noteTable, note({ number: 3 }));
      store.patch(noteTable, ["home", 3], { author: null });
      store.rollback();
      expect(store.select(noteTable, { index: "key" })).toEqual([
        note({ number: 1 }),
        note({ number: 2 }),
      ]);
      expect(numbers({ index: "by_author", equals: ["ann"] })).toEqual([1, 2]);
      expect(numbers({ index: "by_author", equals: [null] })).toEqual([]);
    });

    it.each([
      ["short", "a"],
      ["long", "a".repeat(10_000)],
    ])("knows a %s row by its key through every change of it", async (_length, text) => {
      const read = () => store.get(noteTable, "home", 1);
      expect(read()).toBeUndefined();
      await put(note({ text }));
      expect(read()).toEqual(note({ text }));
      store.begin();
      store.patch(noteTable, ["home", 1], { author: null, data: [text] });
      expect(read()).toEqual(note({ text, author: null, data: [text] }));
      store.rollback();
      expect(read()).toEqual(note({ text }));
      store.begin();
      store.remove(noteTable, "home", 1);
      expect(read()).toBeUndefined();
      store.patch(noteTable, ["home", 1], { text: "nobody" });
      expect(read()).toBeUndefined();
      store.put(noteTable, note({ text: "anew" }));
      store.patch(noteTable, ["home", 1], { text });
      await store.commit();
      expect(read()).toEqual(note({ text }));
    });

    it("finds all that it may after it has found the first", async () => {
      await put(note({ number: 1 }), note({ number: 2 }), note({ number: 3 }));
      expect(numbers({ index: "key", limit: 1 })).toEqual([1]);
      expect(numbers({ index: "key", limit: 2 })).toEqual([1, 2]);
      expect(numbers({ index: "key", limit: 1 })).toEqual([1]);
      expect(numbers({ index: "key", limit: 3 })).toEqual([1, 2, 3]);
    });

    it("rolls back harmlessly when no transaction is open", async () => {
      await put(note({}));
      store.rollback();
      store.rollback();
      expect(store.get(noteTable, "home", 1)).toEqual(note({}));
    });

    it("goes on after a rollback", async () => {
      store.begin();
      store.put(noteTable, note({ text: "lost" }));
      store.rollback();
      await put(note({ text: "kept" }));
      expect(store.get(noteTable, "home", 1)?.text).toBe("kept");
    });

    it("refuses writes outside a transaction and a transaction within one", async () => {
      expect(() => store.put(noteTable, note({}))).toThrow(/transaction/);
      store.begin();
      expect(() => store.begin()).toThrow(/transaction/);
      await store.commit();
      expect(store.select(noteTable, { index: "key" })).toEqual([]);
    });

    it("commits a transaction without writes", async () => {
      store.begin();
      await store.commit();
      await put(note({}));
      expect(store.get(noteTable, "home", 1)).toEqual(note({}));
    });

    it("keeps what was committed, and nothing else, when it is opened again", async () => {
      await put(note({ number: 1 }));
      store.begin();
      store.put(noteTable, note({ number: 2 }));
      store = await subject.reopen();
      expect(store.select(noteTable, { index: "key" })).toEqual([note({ number: 1 })]);
      await put(note({ number: 3 }));
      expect(numbers({ index: "key" })).toEqual([1, 3]);
    });

    it("is closed once and for all", async () => {
      await put(note({}));
      await store.close();
      await store.close();
      expect(() => store.get(noteTable, "home", 1)).toThrow(/closed/);
      await expect(store.committed.get(noteTable, "home", 1)).rejects.toThrow(/closed/);
    });
  });

  describe(`${subjectName}: committed reads`, () => {
    it.skipIf(exceptions.seesUncommitted)("see a row from its commit on", async () => {
      await put(note({ text: "first" }));
      store.begin();
      store.put(noteTable, note({ text: "second" }));
      store.put(noteTable, note({ number: 2 }));
      const during = await store.committed.select(noteTable, { index: "key" });
      await store.commit();
      const afterwards = await store.committed.select(noteTable, { index: "key" });
      expect(during).toEqual([note({ text: "first" })]);
      expect(afterwards).toEqual([note({ text: "second" }), note({ number: 2 })]);
    });

    it.skipIf(exceptions.seesUncommitted)("never see what is rolled back", async () => {
      store.begin();
      store.put(noteTable, note({}));
      const during = await store.committed.get(noteTable, "home", 1);
      store.rollback();
      expect([during, await store.committed.get(noteTable, "home", 1)]).toEqual([
        undefined,
        undefined,
      ]);
    });

    it("answer queries as the transaction does", async () => {
      await put(
        note({ number: 1, at: 3 }),
        note({ number: 2, at: 1 }),
        note({ number: 3, author: null }),
      );
      const queries: Query[] = [
        { index: "key", descending: true, limit: 2 },
        { index: "by_author", equals: ["ann"], from: 2 },
        { index: "by_author", equals: [null] },
      ];
      for (const query of queries) {
        expect(await store.committed.select(noteTable, query)).toEqual(
          store.select(noteTable, query),
        );
      }
    });

    it("run side by side", async () => {
      await put(...Array.from({ length: 20 }, (_, number) => note({ number })));
      const reads = Array.from({ length: 20 }, (_, number) =>
        store.committed.get(noteTable, "home", number),
      );
      expect((await Promise.all(reads)).map((row) => row?.number)).toEqual(
        Array.from({ length: 20 }, (_, number) => number),
      );
    });
  });
}
