import { describe, expect, it } from "vitest";
import { parseEntries } from "../../../src/memory/entries/entries.ts";
import { createMemoryHive, memoryNow } from "../../support/memory-hive.ts";

const place = {
  channel_type: "telegram",
  connector_id: "tg_main",
  conversation_scope: "1001",
  user_scope: "1001",
  agent_id: "main",
};

const { signal } = new AbortController();
const write = (text: string, key = text) => ({
  target: { to: "daily" } as const,
  entry: { text, origins: ["user:1001"] },
  key,
  session_id: "s1",
  trace_id: "t1",
  signal,
});
const query = (text: string) => ({
  text,
  sources: ["own", "shared"] as const,
  kinds: ["memory"] as const,
  limit: 5,
  signal,
});

describe("a memory that is written", () => {
  it("stands in today's file with its source, is found at once, and is one change in the log", async () => {
    const hive = await createMemoryHive();
    const memory = hive.memory.parts.memories.of(place);
    const { path } = await memory.write(write("Anna's birthday is on May 3rd."));
    expect(path).toBe("main/tg_main/2026-11-22.md");
    expect(hive.memoryFiles.text(path)).toBe(
      "# 2026-11-22\n\n- Anna's birthday is on May 3rd. <!-- 14:02 user:1001 -->\n",
    );
    const [hit] = await memory.search(query("when is Anna's birthday?"));
    expect(hit).toMatchObject({ path, line_start: 3, line_end: 3, origins: ["user:1001"] });
    const desk = hive.memory.desk();
    expect(await desk.log({ limit: 5 })).toMatchObject([
      {
        change_id: "m1",
        at: memoryNow,
        path,
        kind: "write",
        by: "agent:main",
        before: null,
        added: 3,
      },
    ]);
  });

  it("is there once where the same is written twice at once, and each of 50 at once", async () => {
    const hive = await createMemoryHive();
    const memory = hive.memory.parts.memories.of(place);
    const same = ["twice", "twice"].map((text) => memory.write(write(text, "k1")));
    const others = Array.from({ length: 50 }, (_, index) =>
      memory.write({ ...write(`thing ${index}`), signal: new AbortController().signal }),
    );
    await Promise.all([...same, memory.write(write("Twice", "k2")), ...others]);
    const text = hive.memoryFiles.text("main/tg_main/2026-11-22.md") ?? "";
    const said = parseEntries(text).map((entry) => entry.text);
    expect(said).toHaveLength(51);
    expect(new Set(said.map((each) => each.toLowerCase())).size).toBe(51);
    expect((await hive.versions.notes()).filter(({ hash }) => hash.startsWith("staged-"))).toEqual(
      [],
    );
    await memory.write(write("twice", "k1"));
    await memory.write(write("twice", "k3"));
    expect(hive.memoryFiles.text("main/tg_main/2026-11-22.md")).toBe(text);
  });

  it("has the process warn of no leak, however many edits are being noted at once", async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => void warnings.push(name);
    process.on("warning", hear);
    const hive = await createMemoryHive();
    const memory = hive.memory.parts.memories.of(place);
    const writes = Array.from({ length: 50 }, (_, n) =>
      memory.write({ ...write(`thing ${n}`), signal: new AbortController().signal }),
    );
    await Promise.all(writes);
    await hive.looked();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });

  it("is given up in time where the service drains meanwhile, and nobody waits for ever", async () => {
    const hive = await createMemoryHive();
    const memory = hive.memory.parts.memories.of(place);
    const stopping = new AbortController();
    const ends = Array.from({ length: 50 }, (_, index) =>
      memory.write({ ...write(`thing ${index}`), signal: AbortSignal.any([stopping.signal]) }).then(
        () => "written",
        (error: unknown) => (error as { code?: string }).code,
      ),
    );
    const drained = hive.engine.drain(0);
    const late = memory.write({ ...write("late"), signal: stopping.signal }).catch(() => "refused");
    await drained;
    stopping.abort();
    await hive.memory.stop();
    const codes = new Set(await Promise.all(ends));
    for (const code of codes)
      expect(["written", "activity.aborted", "engine.draining", "service.stopping"]).toContain(
        code,
      );
    await late;
    await hive.engine.close();
    await hive.memory.close();
  });

  it("leaves nothing staged where its change never began, and what waits for one stays", async () => {
    const hive = await createMemoryHive();
    await hive.versions.note("staged-never-begun", "[]");
    await hive.versions.note("change-under-way", "{}");
    await hive.memory.clear();
    expect((await hive.versions.notes()).map(({ hash }) => hash)).toEqual(["change-under-way"]);
  });
});
