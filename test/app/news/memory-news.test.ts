import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSimulatedClock } from "../../../src/adapters/clock/simulated-clock.ts";
import { silentLog } from "../../../src/adapters/log/json-log.ts";
import { createInMemoryIndex } from "../../../src/adapters/memory-index/in-memory-index.ts";
import { watchEmbedder } from "../../../src/app/memory/keeping/watch-embedder.ts";
import { Alerts } from "../../../src/app/news/alerts.ts";
import { memoryAlert } from "../../../src/app/news/memory-alerts.ts";
import { memoryEventOf } from "../../../src/app/news/memory-event.ts";
import { createNewsBus, isSidecarEvent, type News } from "../../../src/app/news/news.ts";
import type { ActorRow, JournalRow } from "../../../src/engine/tables.ts";
import { type SidecarEvent, sidecarEvent } from "../../../src/schema/shown/news.ts";
import { createMemoryHive } from "../../support/memory-hive.ts";

const asStep = (step: Partial<JournalRow>) =>
  ({ seq: 7, at: 1_000, outcome: "handled", trace: "t1", event: {}, ...step }) as JournalRow;

describe("what happens to memory is told", () => {
  it("when it is asked, written and tidied, with whose it is, and without what it holds", async () => {
    const hive = await createMemoryHive({
      policy: { boundary: ["memory.read:*", "memory.write:own"], grant: ["memory.write:own"] },
    });
    const events: SidecarEvent[] = [];
    const hear = (news: News) => void (isSidecarEvent(news) && events.push(news));
    createNewsBus(hive.engine).subscribe({ name: "test", capacity: 10_000, hear });
    await hive.say('call memory_write {"text":"Anna drinks tea."}');
    await hive.engine.settled();
    await hive.say('call memory_search {"query":"what does Anna drink"}');
    await hive.engine.settled();
    await hive.memory.desk().consolidate({ isDryRun: true, by: "cli" });
    await setImmediate();
    const told = events.filter(({ type }) => /Memory|Consolidation/.test(type));
    expect(told).toMatchObject([
      { type: "MemoryReadRequested", by: "recall", agent_id: "main", session_id: "s1" },
      { type: "MemoryWriteRequested", by: "tool", agent_id: "main", session_id: "s1" },
      { type: "MemoryReadRequested", by: "recall", agent_id: "main", session_id: "s1" },
      { type: "MemoryReadRequested", by: "tool", agent_id: "main", session_id: "s1" },
      {
        type: "ConsolidationCompleted",
        partition: "main/local",
        agent_id: "main",
        connector_id: "local",
        session_id: null,
        status: "done",
        is_dry_run: true,
        changed: false,
      },
    ]);
    for (const event of told) expect(sidecarEvent.parse(event)).toEqual(event);
    expect(JSON.stringify(told)).not.toContain("tea");
  });

  it("when a conversation left its account, and when one is about to be summed up", () => {
    const session_address = "session/telegram:tg_main:1001:1001:main";
    const ofEpisode = { partition: "main/tg_main", session_id: "s1", agent_id: "main" };
    const episode = { snapshot: { context: { ...ofEpisode, session_address, text: "secret" } } };
    const written = { machine: "episode", state_before: "writing", state_after: "done" };
    const place = { channel_type: "telegram", connector_id: "tg_main", agent_id: "main" };
    const told = memoryEventOf(asStep(written), episode as unknown as ActorRow);
    expect(sidecarEvent.parse(told)).toMatchObject({
      type: "EpisodeWritten",
      partition: "main/tg_main",
      ...place,
    });
    const nothing = { ...written, state_before: "summarizing" };
    expect(memoryEventOf(asStep(nothing), episode as unknown as ActorRow)).toBe(undefined);
    const session = { address: session_address, snapshot: { context: ofEpisode } };
    const flushing = {
      machine: "session",
      state_before: "compacting.summarizing",
      state_after: "compacting.flushing",
    };
    expect(
      sidecarEvent.parse(memoryEventOf(asStep(flushing), session as unknown as ActorRow)),
    ).toMatchObject({ type: "MemoryWriteRequested", by: "compaction", session_id: "s1", ...place });
  });
});

describe("alarms about memory", () => {
  const failed = (error: { code: string; message: string }, step: Partial<JournalRow> = {}) =>
    memoryAlert(
      asStep({
        machine: "memory_change",
        event_type: "xstate.error.actor.changeMemory",
        event: { type: "xstate.error.actor.changeMemory", error },
        ...step,
      }),
    );

  it("tell of what could not be written, and not of what was refused to whoever asked", () => {
    expect(failed({ code: "memory.unavailable", message: "the disk is full" })).toEqual({
      kind: "memory.not_written",
      message: "memory was not written: the disk is full",
    });
    expect(failed({ code: "memory.changed", message: "later changes" })).toBe(undefined);
    const tidying = { machine: "consolidation", state_before: "applying", state_after: "failed" };
    expect(
      failed({ code: "memory.changed", message: "it is edited all the time" }, tidying),
    ).toEqual({
      kind: "consolidation.failed",
      message: "memory was not tidied: it is edited all the time",
    });
  });

  it("tell once of vectors that are missing for ten minutes, and once when they are made", async () => {
    const clock = createSimulatedClock();
    const alerts = new Alerts({ clock, log: silentLog });
    const bus = { publish: (news: News) => alerts.hear(news) };
    const stats = { ...(await createInMemoryIndex().stats()), chunks: 4, embedder: "e" };
    let now = { ...stats, embedded: 1, trouble: "nobody answers" as string | null };
    const end = watchEmbedder({ index: { stats: () => Promise.resolve(now) }, clock, bus });
    const pass = async (minutes: number) => {
      for (let n = 0; n < minutes; n += 1) {
        await setImmediate();
        clock.advance(60_000);
      }
      await setImmediate();
      return alerts.list().map(({ kind }) => kind);
    };
    expect(await pass(9)).toEqual([]);
    expect(await pass(5)).toEqual(["embedder.silent"]);
    expect(alerts.list()[0]?.message).toContain("by words alone");
    now = { ...stats, embedded: 4, trouble: null };
    expect(await pass(5)).toEqual(["embedder.healed", "embedder.silent"]);
    now = { ...stats, embedded: 4, trouble: "one question found nobody" };
    expect(await pass(20)).toHaveLength(2);
    end();
  });
});
