import { describe, expect, it } from "vitest";
import { memoryHandlers } from "../../../src/app/api/memory-changes.ts";
import { memoryReads } from "../../../src/app/api/memory.ts";
import type { Caller } from "../../../src/app/api/caller.ts";
import { methodParams } from "../../../src/schema/socket/protocol.ts";
import { methodResults } from "../../../src/schema/socket/results.ts";
import { createMemoryHive, type MemoryHive } from "../../support/memory-hive.ts";

const caller = { origin: "cli", name: "cli" } as Caller;
const main = "main/local/MEMORY.md";

async function peopleAt(files: { readonly [path: string]: string }) {
  const hive = await createMemoryHive();
  const memory = async () => hive.memory.desk();
  const api = {
    ...memoryReads({ memory, config: () => ({ agents: [{ id: "main" }] }) }),
    ...memoryHandlers(memory),
  };
  const edit = async (path: string, text: string) => {
    hive.memoryFiles.edit(path, text);
    await seen(hive);
  };
  for (const [path, text] of Object.entries(files)) await edit(path, text);
  return { api, edit, hive, text: (path: string) => hive.memoryFiles.text(path) };
}

async function seen({ clock, looked }: MemoryHive) {
  clock.advance(60_000);
  await looked();
}

const notes = {
  [main]: "# People\n\n- Anna likes tea.\n- The door code is 4711.\n",
  "ops/tg/2026-01-05.md": "- The door code is 4711.\n",
  "shared/concepts/release.md": "Release on Fridays.\n",
};

describe("memory over the socket", () => {
  it("finds what an agent and all agents remember, with its place", async () => {
    const { api } = await peopleAt(notes);
    const search = (query: string, agent?: string) =>
      api["memory.search"]({ query, limit: 10, ...(agent === undefined ? {} : { agent }) }, caller);
    const found = methodResults["memory.search"].parse(await search("who likes tea?"));
    expect(found[0]).toMatchObject({ path: main, line_start: 3, agent: "main", origins: [] });
    expect((await search("door code", "main")).map(({ path }) => path)).toEqual([main]);
    expect(await search("release", "main")).toMatchObject([{ agent: null }]);
    expect(await search("tea", "ops")).toEqual([]);
    await expect(search("tea", "nobody")).rejects.toMatchObject({ code: "agent.not_found" });
  });

  it("lists and shows the files, and says how much there is", async () => {
    const { api } = await peopleAt({ ...notes, "stray.md": "of nobody" });
    const { files } = methodResults["memory.files"].parse(await api["memory.files"]({}, caller));
    expect(files.map(({ path, agent }) => [path, agent])).toEqual([
      [main, "main"],
      ["ops/tg/2026-01-05.md", "ops"],
      ["shared/concepts/release.md", null],
    ]);
    const show = (path: string) => api["memory.show"]({ path }, caller);
    expect((await show(main)).text).toBe(notes[main]);
    for (const path of ["main/local/none.md", "../outside.md", "stray.md"])
      await expect(show(path)).rejects.toMatchObject({ code: "memory.not_found" });
    const stats = methodResults["memory.stats"].parse(await api["memory.stats"]({}, caller));
    expect(stats).toMatchObject({ files: 3, index: { chunks: expect.any(Number) } });
  });

  it("tells what changed and takes one change back, and that again", async () => {
    const { api, edit, text } = await peopleAt(notes);
    await edit(main, "# People\n\n- Anna likes coffee.\n- The door code is 4711.\n");
    const log = await api["memory.log"]({ path: main, limit: 10 }, caller);
    const [changed] = methodResults["memory.log"].parse(log);
    expect(changed).toMatchObject({ kind: "edit", by: "editor", added: 1, removed: 1 });
    const id = changed?.id ?? "";
    const { diff } = await api["memory.diff"]({ id }, caller);
    expect(diff).toContain("-- Anna likes tea.\n+- Anna likes coffee.");
    const restored = await api["memory.restore"]({ id, whole: false }, caller);
    expect(restored.changed).toMatchObject([{ path: main, kind: "restore" }]);
    expect(text(main)).toBe(notes[main]);
    const [undo] = await api["memory.log"]({ path: main, limit: 1 }, caller);
    expect(undo).toMatchObject({ kind: "restore", by: "cli" });
    await api["memory.restore"]({ id: undo?.id ?? "", whole: false }, caller);
    expect(text(main)).toContain("coffee");
    await expect(api["memory.restore"]({ id: "m99", whole: false }, caller)).rejects.toMatchObject({
      code: "memory.not_found",
    });
  });

  it("forgets no single letters, which stand nearly everywhere", () => {
    const { success: isTaken } = methodParams["memory.forget"].safeParse({ text: "a" });
    expect(isTaken).toBe(false);
  });

  it("shows what forgetting takes, and takes exactly that, everywhere", async () => {
    const { api, edit, text } = await peopleAt(notes);
    const forget = (asked: object) => api["memory.forget"](asked, caller);
    const sought = methodResults["memory.forget"].parse(await forget({ text: "DOOR code" }));
    expect(sought.passages.map(({ path, line_start }) => `${path}:${line_start}`)).toEqual([
      `${main}:4`,
      "ops/tg/2026-01-05.md:1",
    ]);
    expect(sought.changed).toEqual([]);
    expect(text(main)).toBe(notes[main]);
    const byLines = await forget({ path: main, line_start: 4 });
    expect(byLines.passages).toEqual(sought.passages);
    const { binding } = sought;
    await edit(main, `${notes[main]}- The door code is for Anna.\n`);
    await expect(forget({ text: "door code", binding })).rejects.toMatchObject({
      code: "memory.changed",
    });
    const again = await forget({ text: "door code" });
    const done = await forget({ text: "door code", binding: again.binding });
    expect(done.changed.map(({ path, kind }) => [path, kind])).toEqual([
      [main, "forget"],
      ["ops/tg/2026-01-05.md", "forget"],
    ]);
    expect(text(main)).toBe("# People\n\n- Anna likes tea.\n");
    expect(await api["memory.search"]({ query: "door code", limit: 10 }, caller)).toEqual([]);
    await expect(forget({ text: "door code" })).rejects.toMatchObject({ code: "memory.not_found" });
  });

  it("says which file is no text of memory, and how many are left out where it forgets", async () => {
    const { api } = await peopleAt({ ...notes, "stray.md": "The door code is 4711.\n" });
    const forget = (asked: object) => api["memory.forget"](asked, caller);
    for (const path of ["main/local/none.md", "stray.md", "../config/main.yaml"]) {
      const message = `There is no text of memory called ${path}.`;
      await expect(forget({ path, line_start: 1 })).rejects.toMatchObject({ message });
    }
    const { binding } = await forget({ text: "door code" });
    const { changed, not_reached } = await forget({ text: "door code", binding });
    expect(changed).toHaveLength(2);
    expect(not_reached[0]).toMatch(/^1 file that is left out of memory/);
  });

  it("says which names of files hold what it forgets: these stay", async () => {
    const { api, edit } = await peopleAt(notes);
    await edit("main/local/door code.md", "- The door code is 4711.\n- Tea.\n");
    const { not_reached } = await api["memory.forget"]({ text: "Door code" }, caller);
    expect(not_reached[0]).toBe(
      "the name of main/local/door code.md: give it another, or delete it",
    );
    const byLines = await api["memory.forget"]({ path: main, line_start: 4 }, caller);
    expect(byLines.not_reached).toHaveLength(2);
  });

  it.each([
    {},
    { path: main },
    { text: "a", path: main, line_start: 1 },
    { line_start: 1 },
    { path: main, line_start: 4, line_end: 3 },
  ])("refuses to forget %j: it says too little, or too much", async (asked) => {
    const { api } = await peopleAt(notes);
    await expect(api["memory.forget"](asked, caller)).rejects.toMatchObject({ code: "usage" });
  });
});
