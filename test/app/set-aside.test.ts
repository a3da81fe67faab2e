import { expect, it } from "vitest";
import { auditPokes } from "../../src/app/api/poke-audit.ts";
import { cancelHandlers } from "../../src/app/api/cancels.ts";
import { actorTable } from "../../src/engine/tables.ts";
import { createMemoryStore } from "../../src/adapters/engine/memory-store.ts";
import { allTables } from "../../src/app/hive-engine.ts";
import { sessionTable } from "../../src/schema/rows/session-rows.ts";
import { audit } from "../actors/hive-watch.ts";
import { createTestHive, place } from "../support/hive.ts";

const caller = { origin: "cli", name: "cli" } as never;

it("a conversation that was set aside is given up by a reset, and the next message begins it anew", async () => {
  const store = createMemoryStore({ tables: allTables });
  const before = await createTestHive({ store });
  await before.say("hello");
  await before.engine.settled();
  const address = `session/${place}`;
  store.begin();
  store.patch(actorTable, [address], { version: "0" });
  await store.commit();
  await before.engine.close();

  const hive = await createTestHive({ store: store.crash() });
  expect(await hive.engine.get(address)).toMatchObject({ status: "quarantined" });
  expect(await hive.say("are you there")).toMatchObject({ outcome: "dead" });
  const [session] = await hive.engine.read.select(sessionTable, { index: "by_last" });
  const { engine, clock } = hive;
  const pokes = auditPokes({ engine, clock, redact: (value) => value });
  const reset = cancelHandlers({ engine, clock, pokes })["sessions.reset"];
  expect(await reset({ id: session?.session_id ?? "" }, caller)).toMatchObject({ state: "closed" });
  expect(await hive.engine.read.get(sessionTable, session?.session_id ?? "")).toMatchObject({
    state: "closed",
    closed_at: hive.clock.now(),
  });
  expect(await audit(hive)).toMatchObject([
    {
      kind: "poke",
      status: "accepted",
      decided_by: "cli",
      session: session?.session_id,
      input: { event: "session.cancel", address },
    },
  ]);
  expect(await hive.say("are you there")).toMatchObject({ outcome: "handled" });
});
