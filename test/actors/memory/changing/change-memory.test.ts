import { tidyStagings } from "../../../../src/actors/memory/changing/tidy-stagings.ts";
import { describe, expect, it } from "vitest";
import type { ChangeMemoryInput } from "../../../../src/schema/activities.ts";
import { memoryNow } from "../../../support/memory-hive.ts";
import { type ChangeBench, createChangeBench, type Death } from "./change-bench.ts";

const daily = "main/tg/2026-11-22.md";
const longTerm = "main/tg/MEMORY.md";

function appending(text: string, to: "daily" | "long_term" = "daily"): Partial<ChangeMemoryInput> {
  const entries = [{ text, origins: ["user:1"] }];
  return {
    changes: [{ op: "append", partition: "main/tg", target: { to }, entries, at: memoryNow }],
  };
}

const undoing = (change_id: string, whole = false): Partial<ChangeMemoryInput> => ({
  changes: [{ op: "undo", change_id, whole }],
  kind: "restore",
  reason: change_id,
});

/** Each version that a file ever had, in order, as its rows tell. */
async function history(bench: ChangeBench, path: string): Promise<(string | null)[]> {
  const rows = bench.rows().filter((row) => row.path === path);
  return Promise.all([rows[0]?.before ?? null, ...rows.map(({ after }) => after)].map(bench.text));
}

describe("a change of memory", () => {
  it("keeps first what somebody else has written, as a change of its own", async () => {
    const bench = createChangeBench({ [daily]: "my own\n" });
    await bench.change(appending("one"));
    expect(bench.files.text(daily)).toBe("my own\n\n- one <!-- 14:02 user:1 -->\n");
    expect(bench.rows()).toMatchObject([
      { change_id: "m1", kind: "edit", by: "editor", before: null, added: 1, removed: 0 },
      { change_id: "m2", kind: "write", by: "agent:main", added: 2, removed: 0 },
    ]);
    expect(bench.rows()[1]?.before).toBe(bench.rows()[0]?.after);
  });

  it("is made to what an editor saved in between, and both are kept", async () => {
    const bench = createChangeBench();
    await bench.change(appending("one"));
    const saved = "# 2026-11-22\n\n- one, said better\n";
    bench.files.meanwhile = () => bench.files.edit(daily, saved);
    await bench.change(appending("two"));
    expect(bench.files.text(daily)).toBe(`${saved}- two <!-- 14:02 user:1 -->\n`);
    expect(await history(bench, daily)).toEqual([
      null,
      "# 2026-11-22\n\n- one <!-- 14:02 user:1 -->\n",
      saved,
      `${saved}- two <!-- 14:02 user:1 -->\n`,
    ]);
    expect(bench.files.staged()).toEqual([]);
  });

  it("gives way to what an editor writes into the file that it has just replaced, and is made to that", async () => {
    const bench = createChangeBench({ [daily]: "- mine\n" });
    bench.files.late = "- mine, at length\n";
    await bench.change(appending("one"));
    expect(await history(bench, daily)).toEqual([
      null,
      "- mine\n",
      "- mine\n- one <!-- 14:02 user:1 -->\n",
      "- mine, at length\n",
      "- mine, at length\n- one <!-- 14:02 user:1 -->\n",
    ]);
    expect(bench.rows().map(({ kind }) => kind)).toEqual(["edit", "write", "edit", "write"]);
    expect(bench.files.text(daily)).toBe("- mine, at length\n- one <!-- 14:02 user:1 -->\n");
    expect(bench.files.staged()).toEqual([]);
  });

  it("keeps what was seen of a file, also where it has been saved over since", async () => {
    const bench = createChangeBench({ [daily]: "- first\n" });
    const version = await bench.versions.keep(new TextEncoder().encode("- second\n"));
    const seen: Partial<ChangeMemoryInput> = {
      changes: [{ op: "observe", path: daily, version }],
      kind: "edit",
      by: "editor",
    };
    bench.files.edit(daily, "- third\n");
    await bench.change(seen);
    expect(await history(bench, daily)).toEqual([null, "- second\n", "- third\n"]);
    await bench.change(seen);
    expect(bench.rows()).toHaveLength(2);
  });

  it("keeps its own text where an editor that knew nothing of it saves over it", async () => {
    const bench = createChangeBench({ [daily]: "- mine\n" });
    await bench.change(appending("one"));
    bench.files.edit(daily, "- mine, longer\n");
    await bench.change({ changes: [{ op: "observe", path: daily }], kind: "edit", by: "editor" });
    expect(await history(bench, daily)).toEqual([
      null,
      "- mine\n",
      "- mine\n- one <!-- 14:02 user:1 -->\n",
      "- mine, longer\n",
    ]);
  });

  it("is given up where the file is written without a pause", async () => {
    const bench = createChangeBench({ [daily]: "- 0\n" });
    const read = bench.files.read.bind(bench.files);
    let line = 0;
    const readAndWrite: typeof read = async (path) => {
      const found = await read(path);
      if (line < 100) bench.files.edit(path, `- ${(line += 1)}\n`);
      return found;
    };
    Object.assign(bench.files, { read: readAndWrite });
    expect(await bench.change(appending("one"))).toMatchObject({ code: "memory.changed" });
    expect(line).toBeLessThan(100);
  });

  it("is refused where the file holds something else than was expected, and says what was done before", async () => {
    const bench = createChangeBench({ [longTerm]: "- a\n" });
    const refused = await bench.change({
      changes: [
        { op: "replace", path: daily, text: "- b\n" },
        { op: "replace", path: longTerm, text: "- c\n", expected: "0".repeat(64) },
      ],
    });
    expect(refused).toMatchObject({ code: "memory.changed" });
    expect(bench.files.text(longTerm)).toBe("- a\n");
    expect(bench.rows().map(({ path, kind }) => [path, kind])).toEqual([
      [daily, "write"],
      [longTerm, "edit"],
    ]);
  });

  it.each([
    ["too long", "x".repeat(4_001), "at most 4000 characters"],
    ["empty", " \n ", "needs a text"],
  ])("is refused for an entry that is %s", async (_, text, message) => {
    const bench = createChangeBench();
    expect(await bench.change(appending(text))).toMatchObject({
      code: "memory.refused",
      message: expect.stringContaining(message),
    });
    expect(bench.files.text(daily)).toBeUndefined();
  });

  it("is refused where a day has 500 memories already; what it says already is none more", async () => {
    const full = Array.from({ length: 500 }, (_, index) => `- item ${index}\n`).join("");
    const bench = createChangeBench({ [daily]: full });
    expect(await bench.change(appending("item 7"))).toMatchObject({ changed: [{ kind: "edit" }] });
    expect(await bench.change(appending("one"))).toMatchObject({
      code: "memory.refused",
      message: `${daily} would have more than 500 memories of one day.`,
    });
    expect(bench.files.text(daily)).toBe(full);
  });

  it.each([
    ["250 memories of a day", daily, 250, "short", "daily"],
    ["half a megabyte for good", longTerm, 125, "x".repeat(3_950), "long_term"],
  ] as const)(
    "is refused to a person who has said %s already; the next person still finds room",
    async (_, path, count, words, to) => {
      const full = Array.from(
        { length: count },
        (_each, n) => `- ${n} ${words} <!-- 09:00 user:1 -->\n`,
      ).join("");
      const bench = createChangeBench({ [path]: full });
      expect(await bench.change(appending("x".repeat(4_000), to))).toMatchObject({
        code: "memory.refused",
        message: `${path} has no more room for what user:1 says: one person may fill half of what all others leave of it.`,
      });
      expect(bench.files.text(path)).toBe(full);
      const other = { text: "one", origins: ["user:2"] };
      const changes = [
        { op: "append", partition: "main/tg", target: { to }, entries: [other], at: memoryNow },
      ] as const;
      expect(await bench.change({ changes })).toMatchObject({ changed: [{ path }] });
    },
  );

  it("writes no file of more than a megabyte, and none that is not UTF-8", async () => {
    const bench = createChangeBench({
      [daily]: `${"x".repeat(999_990)}\n`,
      [longTerm]: new Uint8Array([0xc3, 0x28, 0x0a]),
    });
    const large = await bench.change(appending("one"));
    expect(large).toMatchObject({
      code: "memory.refused",
      hint: expect.stringContaining("another"),
    });
    expect(await bench.change(appending("one", "long_term"))).toMatchObject({
      code: "memory.refused",
      message: expect.stringContaining("not UTF-8"),
    });
  });

  it.each(["../x.md", "/etc/passwd.md", "main/x.md", "shared/x.md", "main/tg/../../other/tg/x.md"])(
    "M01: writes nothing at %s",
    async (path) => {
      const bench = createChangeBench();
      const refused = await bench.change({ changes: [{ op: "replace", path, text: "x\n" }] });
      expect(refused).toMatchObject({ code: "memory.refused" });
    },
  );
});

describe("a note of a change that was cut", () => {
  it.each(["", '{"done":'])("as %j keeps no service from starting", async (noted) => {
    const { files, versions } = createChangeBench();
    await versions.note("change-1", noted);
    await expect(tidyStagings(files, versions)).resolves.toBeUndefined();
  });
});

describe("taking a change back", () => {
  it("leaves what came after it", async () => {
    const bench = createChangeBench();
    for (const text of ["one", "two", "three"]) await bench.change(appending(text));
    await bench.change(undoing("m2"));
    expect(bench.files.text(daily)).toBe(
      "# 2026-11-22\n\n- one <!-- 14:02 user:1 -->\n- three <!-- 14:02 user:1 -->\n",
    );
    await bench.change(undoing("m4"));
    expect(bench.files.text(daily)).toContain("- two");
  });

  it("of a new file takes it away; of one that went brings it back", async () => {
    const bench = createChangeBench();
    await bench.change(appending("one"));
    await bench.change(undoing("m1"));
    expect(bench.files.text(daily)).toBeUndefined();
    await bench.change(undoing("m2"));
    expect(bench.files.text(daily)).toContain("- one");
  });

  it("is refused where later changes touch the same lines; whole, the file becomes what it was before", async () => {
    const bench = createChangeBench();
    const put = (text: string) => ({ changes: [{ op: "replace", path: longTerm, text } as const] });
    await bench.change(put("- tea\n- milk\n"));
    await bench.change(put("- green tea\n- milk\n"));
    await bench.change(put("- no tea\n- milk\n- sugar\n"));
    expect(await bench.change(undoing("m2"))).toMatchObject({
      code: "memory.changed",
      hint: expect.stringContaining("--whole"),
    });
    expect(bench.files.text(longTerm)).toBe("- no tea\n- milk\n- sugar\n");
    await bench.change(undoing("m2", true));
    expect(bench.files.text(longTerm)).toBe("- tea\n- milk\n");
  });

  it("is done once: again it changes nothing, also after later changes, until that is taken back", async () => {
    const bench = createChangeBench();
    const put = (text: string) => ({ changes: [{ op: "replace", path: longTerm, text } as const] });
    await bench.change(put("- tea\n- milk\n- sugar\n"));
    await bench.change(put("- tea\n- sugar\n"));
    await bench.change(undoing("m2"));
    await bench.change(put("- tea\n- milk\n- sugar\n- bread\n"));
    expect(await bench.change(undoing("m2"))).toMatchObject({ changed: [] });
    expect(bench.files.text(longTerm)).toBe("- tea\n- milk\n- sugar\n- bread\n");
    await bench.change(undoing("m3"));
    expect(bench.files.text(longTerm)).toBe("- tea\n- sugar\n- bread\n");
    await bench.change(undoing("m2"));
    expect(bench.files.text(longTerm)).toBe("- tea\n- milk\n- sugar\n- bread\n");
  });

  it("of a file that went is refused where another one is there by now; whole, it takes its place", async () => {
    const bench = createChangeBench();
    const put = (text: string | null) => ({
      changes: [{ op: "replace", path: longTerm, text } as const],
    });
    for (const text of ["- tea\n", null, "- milk\n"]) await bench.change(put(text));
    expect(await bench.change(undoing("m2"))).toMatchObject({
      code: "memory.changed",
      message: "m2 took main/tg/MEMORY.md away; it is there again, and holds something else.",
    });
    expect(bench.files.text(longTerm)).toBe("- milk\n");
    await bench.change(undoing("m2", true));
    expect(bench.files.text(longTerm)).toBe("- tea\n");
  });

  it("of a new file that was rewritten since says that whole the file goes", async () => {
    const bench = createChangeBench();
    const put = (text: string | null) => ({
      changes: [{ op: "replace", path: longTerm, text } as const],
    });
    for (const text of ["- tea\n", "- milk\n"]) await bench.change(put(text));
    expect(await bench.change(undoing("m1"))).toMatchObject({
      hint: "With --whole the file goes: there was none before that change.",
    });
    await bench.change(put(null));
    expect(await bench.change(undoing("m1"))).toMatchObject({ changed: [] });
  });

  it("of a change that never was is refused", async () => {
    expect(await createChangeBench().change(undoing("m9"))).toMatchObject({
      code: "memory.not_found",
    });
  });
});

describe("forgetting", () => {
  it("takes a passage out of every file and every version, and the rows follow", async () => {
    const bench = createChangeBench({ [longTerm]: "# Memory\n\n- the code is 4711\n- tea\n" });
    await bench.change(appending("The code is 4711"));
    await bench.change(appending("after it"));
    const [{ after } = { after: null }] = bench.rows();
    await bench.change({ changes: [{ op: "observe", path: longTerm }], kind: "edit" });
    await bench.change({
      changes: [{ op: "forget", passages: [{ version: after ?? "", line_start: 3, line_end: 3 }] }],
      kind: "forget",
    });
    expect(bench.files.text(longTerm)).toBe("# Memory\n\n- tea\n");
    expect(bench.files.text(daily)).toBe("# 2026-11-22\n\n- after it <!-- 14:02 user:1 -->\n");
    const texts = await Promise.all(
      bench.rows().flatMap((row) => [bench.text(row.before), bench.text(row.after)]),
    );
    expect(texts.filter((text) => text?.includes("gone") === true)).toEqual([]);
    const kept = await Promise.all(
      (await bench.versions.list()).map(({ hash }) => bench.text(hash)),
    );
    expect(kept.filter((text) => text?.includes("4711") === true)).toEqual([]);
  });
});

type Case = {
  readonly name: string;
  readonly before: readonly Partial<ChangeMemoryInput>[];
  readonly last: Partial<ChangeMemoryInput>;
  readonly edits?: string;
};

const cases: readonly Case[] = [
  { name: "a first entry", before: [], last: appending("one") },
  {
    name: "an entry after an unseen edit",
    before: [appending("one")],
    edits: "- mine\n",
    last: appending("two"),
  },
  {
    name: "a change that is taken back",
    before: [appending("one"), appending("two")],
    last: undoing("m1"),
  },
  { name: "a file that goes", before: [appending("one")], last: undoing("m1") },
  {
    name: "several files",
    before: [],
    last: {
      changes: [
        { op: "replace", path: longTerm, text: "- a\n" },
        { op: "replace", path: daily, text: "- b\n" },
      ],
    },
  },
  {
    name: "something forgotten",
    before: [appending("one"), appending("two")],
    last: { changes: [{ op: "forget", passages: [] }], kind: "forget" },
  },
];

async function played({ before, edits, last }: Case, death?: Death) {
  const bench = createChangeBench();
  for (const input of before) await bench.change(input);
  if (edits !== undefined) bench.files.edit(daily, edits);
  const version = bench.rows()[0]?.after ?? "";
  const passages = [{ version, line_start: 3, line_end: 3 }];
  const isForget = last.kind === "forget";
  const changes = isForget ? [{ op: "forget", passages } as const] : (last.changes ?? []);
  await bench.change({ ...last, changes }, death);
  const calls = bench.calls();
  const rows = bench
    .rows()
    .map(({ path, kind, before: was, after }) => ({ path, kind, was, after }));
  return {
    calls,
    left: {
      texts: [bench.files.text(daily), bench.files.text(longTerm)],
      rows,
      staged: bench.files.staged(),
      histories: [await history(bench, daily), await history(bench, longTerm)],
    },
  };
}

describe.each(cases)("$name, when the process dies at any step", (play) => {
  it("is there once, as if it had not died, and nothing is lost or left over", async () => {
    const { calls, left } = await played(play);
    expect(calls).toBeGreaterThan(5);
    for (let call = 1; call <= calls; call += 1)
      for (const when of ["before", "after"] as const)
        expect((await played(play, { call, when })).left, `${when} ${call}`).toEqual(left);
  });
});
