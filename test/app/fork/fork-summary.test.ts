import { expect, it } from "vitest";
import { type LlmRequest, textOf } from "../../../src/schema/llm.ts";
import { historyCutTable } from "../../../src/schema/rows/model-rows.ts";
import { providerOf } from "../../actors/test-agents.ts";
import { fork } from "../../support/forks.ts";
import { createTestHive } from "../../support/hive.ts";
import { runsOf } from "../../support/replays.ts";

const isSummary = ({ system }: LlmRequest) => system.startsWith("You keep the record");

/** Summed up behind its third message; the fourth is answered with the summary before it.
 *  @param count of messages: with seven it is summed up again behind the fifth, and the seventh */
async function summedUp(count = 4) {
  const asked: string[][] = [];
  let summaries = 0;
  const provider = providerOf((request) => {
    if (!isSummary(request)) asked.push(request.messages.map(({ content }) => textOf(content)));
    const text = isSummary(request)
      ? JSON.stringify({ summary: `They met, ${++summaries}.`, facts: [] })
      : `Answer ${asked.length}.`;
    return { content: [{ type: "text", text }] };
  });
  const context = () => ({ strategy: "summarize", maxTokens: 100_000, episodes: false }) as const;
  const hive = await createTestHive({ provider, context, historyMessages: 6 });
  for (let number = 1; number <= count; number += 1) {
    await hive.say(`message ${number}`);
    await hive.engine.settled();
  }
  const runs = (await runsOf(hive.engine.read)).toSorted((a, b) => a.seq - b.seq);
  const [, second, , fourth] = runs;
  if (second === undefined || fourth === undefined) throw new Error("too little was said");
  return { hive, asked, second, fourth };
}

it("carries the summary of what was left out into a fork from behind it", async () => {
  const { hive, asked, fourth } = await summedUp();
  const { session_id } = await fork(hive, fourth.run_id, { at: fourth.seq, text: "and now?" });
  await hive.engine.settled();
  const cut = await hive.engine.read.get(historyCutTable, session_id);
  expect(cut).toMatchObject({ summary: "They met, 1." });
  const shown = asked.at(-1)?.join("\n");
  expect(shown).toContain("> They met, 1.");
  expect(shown).toContain("and now?");
  expect(shown).not.toContain("message 1");
});

it("gives a fork from before the summary what was said instead", async () => {
  const { hive, asked, second } = await summedUp();
  const { session_id } = await fork(hive, second.run_id, { at: second.seq, text: "and now?" });
  await hive.engine.settled();
  const shown = asked.find((texts) => texts.at(-1)?.includes("and now?"))?.join("\n");
  expect(shown).toContain("message 1");
  expect(shown).not.toContain("They met");
  expect(session_id).not.toBe(second.session_id);
});

it("gives a fork from between the first summary and the next the first one", async () => {
  const { hive, asked, fourth } = await summedUp(7);
  const newest = await hive.engine.read.get(historyCutTable, fourth.session_id);
  expect(newest?.summary).toBe("They met, 3.");
  await fork(hive, fourth.run_id, { at: fourth.seq, text: "and now?" });
  await hive.engine.settled();
  const shown = asked.find((texts) => texts.at(-1)?.includes("and now?"))?.join("\n");
  expect(shown).toContain("> They met, 1.");
  expect(shown).toContain("message 4");
  expect(shown).not.toContain("message 1");
});
