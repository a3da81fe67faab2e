import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { silentLog } from "../../src/adapters/log/json-log.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { drainRoot, startRoot } from "../../src/app/root.ts";
import { workingRuns } from "../../src/app/working-runs.ts";
import { runs } from "../actors/hive-watch.ts";
import { chatsWith } from "../support/chats.ts";
import { heldModel } from "../support/held-model.ts";
import { createTestHive } from "../support/hive.ts";

it("lets what runs end and be heard, takes nothing new, and goes on with the rest at the next start", async () => {
  const store = createMemoryStore({ tables: allTables, strict: true });
  const model = heldModel();
  const hive = await createTestHive({ store, provider: model.provider });
  await startRoot(hive.engine);
  const say = chatsWith(hive);
  const first = await say("one");
  await say("two");
  const asked = await model.next();
  expect(workingRuns(hive.engine)).toBe(1);

  await drainRoot(hive.engine, silentLog);
  await expect(say("three")).rejects.toMatchObject({
    code: "service.stopping",
    retryable: true,
  });
  const drained = hive.engine.drain(5_000);
  asked.says("1");
  await drained;
  expect((await first.ended).at(-1)).toMatchObject({ status: "done", reply: "1" });
  expect(model.asked).toHaveLength(1);
  expect(workingRuns(hive.engine)).toBe(0);

  const later = heldModel();
  const next = await createTestHive({ store: store.crash(), provider: later.provider });
  await startRoot(next.engine);
  (await later.next()).says("2");
  await next.engine.settled();
  expect((await runs(next)).map(({ reply }) => reply)).toEqual(["1", "2"]);
  const again = await chatsWith(next)("three");
  (await later.next()).says("3");
  expect((await again.ended).at(-1)).toMatchObject({ reply: "3" });
});
