import { expect, it } from "vitest";
import type { Agent, AgentSettings } from "../../src/actors/agent.ts";
import { agentConfigTable } from "../../src/schema/rows/run-rows.ts";
import { createTestHive } from "../support/hive.ts";
import { decide, results, runs } from "./hive-watch.ts";
import { agentWith } from "./test-agents.ts";

/** A run whose agent is configured anew while it waits for a person. */

const asBegun = agentWith({ config: { id: "main", version: 1 }, configHash: "begun" });

async function waiting() {
  let live: Agent | undefined = asBegun;
  let restorable: AgentSettings | undefined = asBegun;
  const agents = { get: () => live, restore: () => restorable };
  const hive = await createTestHive({ agents });
  await hive.say('call file_write {"path":"a.txt","content":"hi"}');
  await hive.engine.settled();
  return {
    hive,
    async allowedUnder(now: Agent | undefined, earlier: AgentSettings | undefined = asBegun) {
      live = now;
      restorable = earlier;
      await decide(hive);
      await hive.engine.settled();
      return { results: await results(hive), run: (await runs(hive))[0] };
    },
  };
}

const anew = (changes: Partial<Agent>) => agentWith({ configHash: "anew", ...changes });
const { policy } = asBegun;

it("keeps the configuration that it began with, by its hash", async () => {
  const { hive } = await waiting();
  expect(await runs(hive)).toMatchObject([{ config_hash: "begun" }]);
  expect(await hive.engine.read.get(agentConfigTable, "begun")).toMatchObject({
    agent_id: "main",
    config: { id: "main", version: 1 },
  });
});

it("A13: does not execute what was allowed, once the policy denies it", async () => {
  const { allowedUnder } = await waiting();
  const end = await allowedUnder(anew({ policy: { ...policy, deny: ["fs.write:**"] } }));
  expect(end.results[0]).toContain(
    "permission.denied: The deny rule fs.write:** of the agent covers fs.write:a.txt, as the agent is configured now.",
  );
});

it.each([
  ["disabled", anew({ enabled: false }), "agent.disabled"],
  ["removed", undefined, "agent.not_found"],
])("ends with a clear word when its agent was %s", async (_, now, code) => {
  const { allowedUnder } = await waiting();
  const end = await allowedUnder(now);
  expect(end.results[0]).toContain("permission.denied");
  expect(end.run).toMatchObject({ state: "failed", error: { code } });
});

it("does not touch the files of another workspace than its own", async () => {
  const { allowedUnder } = await waiting();
  const end = await allowedUnder(anew({ workspace: "/elsewhere" }));
  expect(end.results[0]).toContain("The agent's workspace is not the one that the run began in.");
});
