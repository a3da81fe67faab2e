import { expect, it } from "vitest";
import { machineEntries } from "../../src/actors/machine-entries.ts";
import {
  circleOf,
  noRounds,
  type Repetition,
  withRound,
} from "../../src/machines/run/repetition.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { noUsage } from "../../src/schema/llm.ts";
import { agentWith, fixedAgents, providerOf } from "../actors/test-agents.ts";
import { runs } from "../actors/hive-watch.ts";
import { createTestHive } from "../support/hive.ts";

/** A model that goes in a circle is stopped, however the circle looks. */

/** @param paths what the rounds read, one after the other, over and over */
async function endOf(paths: (round: number) => string) {
  let round = 0;
  const provider = providerOf(() => {
    round += 1;
    const input = { path: paths(round) };
    return {
      content: [{ type: "tool_use", id: `call-${round}`, name: "file_read", input }],
      stop_reason: "tool_use",
    };
  });
  const agent = agentWith({ model: () => ({ provider, model: "circles" }) });
  const hive = await createTestHive({ agents: fixedAgents(agent) });
  await hive.say("go");
  await hive.engine.settled();
  const [run] = await runs(hive);
  return { rounds: round, state: run?.state, reply: run?.reply };
}

it.each([
  ["a", 3, "the same tool calls 3 times in a row"],
  ["ab", 6, "the same 2 rounds of tool calls 3 times in a row"],
  ["abc", 9, "the same 3 rounds of tool calls 3 times in a row"],
  ["abca", 12, "the same 4 rounds of tool calls 3 times in a row"],
])(
  "I05: a model that calls %s over and over is stopped at round %i",
  async (circle, rounds, why) => {
    const end = await endOf((round) => circle[(round - 1) % circle.length] as string);
    expect(end).toEqual({
      rounds,
      state: "failed",
      reply: `I could not go on: The model made ${why}. (run.identical_calls)`,
    });
  },
);

it("I05: a circle is found after calls of another kind too, and broken by one of them", async () => {
  const paths = ["x", "a", "b", "a", "b", "y", "a", "b", "a", "b", "a", "b", "never"];
  expect((await endOf((round) => paths[round - 1] as string)).rounds).toBe(12);
});

it("I05: a model that never repeats itself is stopped by the limit of rounds", async () => {
  const end = await endOf((round) => `file-${round}`);
  expect(end).toMatchObject({ rounds: 26, reply: expect.stringContaining("run.max_tool_rounds") });
});

it("counts on in a run that an earlier version began", () => {
  const migrate = machineEntries.find(({ machine }) => machine.id === "run")?.migrations?.["1"];
  const repeatedIn = (repeated: JsonObject) =>
    migrate?.({ value: "thinking", context: { usage: noUsage, repeated } } as never).context[
      "repeated"
    ] as Repetition;
  const twice = repeatedIn({ hash: "a", times: 2 });
  expect(circleOf(withRound(twice, "a"), 3)).toBe(1);
  expect(circleOf(withRound(twice, "b"), 3)).toBeUndefined();
  expect(repeatedIn({ hash: "", times: 0 })).toEqual(noRounds);
});
