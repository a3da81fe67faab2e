import { describe, expect, it } from "vitest";
import { sessionKey } from "../../../src/actors/session-key.ts";
import { obedientModel } from "../../security/obedient-model.ts";
import { createMemoryHive } from "../../support/memory-hive.ts";
import { results } from "../hive-watch.ts";

const daily = "main/local/2026-11-22.md";
const fact = "Ben calls his rye starter Otto.";
const write = `CALL memory_write {"text":"${fact}"}`;
const search = 'CALL memory_search {"query":"rye starter Otto"}';

const later = sessionKey({
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "later",
  user_scope: "tester",
  agent_id: "main",
});

/** An agent that was told the fact in an earlier conversation, and wrote nothing down. */
async function toldEarlier() {
  const hive = await createMemoryHive({
    provider: obedientModel(),
    policy: {
      boundary: ["memory.read:*", "memory.write:own"],
      grant: ["memory.write:own"],
    },
  });
  const tell = async (text: string) => {
    await hive.say(text, later);
    await hive.engine.settled();
    await hive.looked();
  };
  await hive.say(fact);
  await hive.engine.settled();
  await hive.looked();
  return { hive, tell };
}

describe("what a person said in a past task, and nobody wrote down,", () => {
  it("is written when the task is recalled", async () => {
    const { hive, tell } = await toldEarlier();
    await tell(`Remember: ${fact} ${write}`);
    expect(await results(hive)).toEqual([`Written to ${daily}.`]);
    expect(hive.memoryFiles.text(daily)).toContain(`- ${fact} <!-- 14:02 user:tester -->`);
  });

  it("is written when the task was found by a search", async () => {
    const { hive, tell } = await toldEarlier();
    await tell(`${search} then ${write}`);
    const [found, written] = await results(hive);
    expect(found).toContain(`> Asked: ${fact}`);
    expect(written).toBe(`Written to ${daily}.`);
  });

  it("is refused once it stands in a file", async () => {
    const { hive, tell } = await toldEarlier();
    await tell(write);
    await tell(`Remember: ${fact} ${write}`);
    expect((await results(hive)).at(-1)).toMatch(/^memory\.refused: That stands in memory already/);
  });
});
