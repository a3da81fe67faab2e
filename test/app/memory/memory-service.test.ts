import { describe, expect, it } from "vitest";
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
});
