import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { addresseeHandlers } from "../../src/app/api/addressee.ts";
import { noAmounts } from "../../src/schema/budget.ts";
import { createReadApi } from "../../src/app/api/read-api.ts";
import type { RunContext } from "../../src/schema/contexts/run-context.ts";
import { runTable } from "../../src/schema/rows/run-rows.ts";
import { grantTable } from "../../src/schema/rows/permission-rows.ts";
import { decide, pendingApproval, results, runs } from "../actors/hive-watch.ts";
import { homeWith } from "../config/homes.ts";
import { type Reply, says, startAnthropicServer } from "../support/anthropic-server.ts";
import { configuredHive } from "../support/configured-hive.ts";
import type { TestHive } from "../support/hive.ts";

/** Two agents of one home: the one writes, the other reads, each in its own workspace. */
const home = () =>
  homeWith({
    "config/agents.d/main.yaml": "id: main\ntools: { allow: [file_read, file_write] }\n",
    "config/agents.d/notes.yaml":
      "id: notes\nidentity: { name: Keeper }\ntools: { allow: [file_write] }\nlimits: { max_tool_rounds: 1 }\n",
    "prompts/notes/system.md": "You keep notes.\n",
    "config/routing.yaml":
      "default_agent: main\nbindings:\n  - match: { conversation_scope: diary }\n    agent: notes\n",
  });
const write = (path: string) => `call file_write {"path":"${path}","content":"hi"}`;

describe("two agents", () => {
  it("work in their own workspaces, and what a person grants to the one is not the other's", async () => {
    const at = home();
    const { hive, send } = await configuredHive(at);
    const [one, other] = [
      await send(write("a.txt")),
      await send(write("b.txt"), { agent: "notes" }),
    ];
    expect([one.agent_id, other.agent_id]).toEqual(["main", "notes"]);
    await hive.engine.settled();
    const waiting = await hive.engine.read.select(runTable, { index: "key" });
    const mine = waiting.find(({ agent_id }) => agent_id === "main");
    const approval = await pendingApproval(hive);
    expect(mine?.address.startsWith(one.address)).toBe(true);
    await decide(hive, { scope: "session" });
    await hive.engine.settled();
    const granted = approval.agent_id === "main" ? one : other;
    const grants = await hive.engine.read.select(grantTable, { index: "key" });
    expect(grants.map(({ owner }) => owner)).toEqual([granted.address]);
    const left = await pendingApproval(hive);
    expect(left.agent_id).toBe(approval.agent_id === "main" ? "notes" : "main");
    await decide(hive);
    await hive.engine.settled();
    const has = (id: string, file: string) => existsSync(join(at, "workspace", id, file));
    expect([has("main", "a.txt"), has("main", "b.txt")]).toEqual([true, false]);
    expect([has("notes", "a.txt"), has("notes", "b.txt")]).toEqual([false, true]);
  });

  it("have their own tools and limits, side by side", async () => {
    const { hive, send } = await configuredHive(home());
    await send('call file_read {"path":"a.txt"}', { agent: "notes" });
    await send('call file_read {"path":"a.txt"}');
    await hive.engine.settled();
    expect(await results(hive)).toEqual(["file.not_found: There is no a.txt."]);
    const limits = await Promise.all(
      (await runs(hive)).map(async ({ agent_id, address }) => {
        const context = (await hive.engine.get(address))?.context as unknown as RunContext;
        return [agent_id, context.limits.max_tool_rounds];
      }),
    );
    expect(limits).toEqual([
      ["notes", 1],
      ["main", 25],
    ]);
  });

  it("are reached by name, by binding and by default; a name that nobody has is refused", async () => {
    const { live, send } = await configuredHive(home());
    const addressing = { agents: live.agents, routing: () => live.now().routing };
    const who = addresseeHandlers(addressing, live)["chat.agent"];
    expect(await who({}, cli)).toMatchObject({ id: "main", emoji: null });
    expect(await who({ session: "diary" }, cli)).toMatchObject({ id: "notes", name: "Keeper" });
    expect(await who({ session: "diary", agent: "main" }, cli)).toMatchObject({ id: "main" });
    await expect(who({ agent: "__proto__" }, cli)).rejects.toMatchObject({
      code: "agent.not_found",
    });
    expect(await send("hello", { session: "diary" })).toMatchObject({ agent_id: "notes" });
  });
});

describe("a run that waits for a person while its service starts anew", () => {
  const calls = (path: string): Reply => ({
    content: [{ type: "tool_use", id: path, name: "file_write", input: { path, content: "hi" } }],
  });

  it("goes on with the prompt and limits that it began with; the stricter policy of both holds", async () => {
    const provider = await startAnthropicServer((_, n) =>
      n === 1 ? calls("a.txt") : n === 2 ? calls("secret.txt") : says("Done."),
    );
    onTestFinished(() => provider.close());
    const at = homeWith({
      "config/agents.d/main.yaml": "id: main\nmodel_policy: { primary: own/m }\n",
      "config/providers.d/own.yaml": `id: own\ntype: anthropic\napi_key: env:OWN_KEY\nbase_url: ${provider.url}\n`,
    });
    const first = await configuredHive(at, { env: { OWN_KEY: "sk-ant-test-0123456789" } });
    await first.send("write both");
    await first.hive.engine.settled();
    const [begun] = await runs(first.hive);
    first.edit("prompts/main/system.md", "You refuse.\n");
    first.edit(
      "config/agents.d/main.yaml",
      "id: main\nmodel_policy: { primary: own/m }\nlimits: { max_tool_rounds: 1 }\ncapabilities: { deny: ['fs.write:secret*'] }\n",
    );
    const { hive, live, send } = await first.restart();
    const hash = live.agents.get("main")?.configHash;
    await decide(hive);
    await hive.engine.settled();
    const [run] = await runs(hive);
    expect(run).toMatchObject({ state: "done", reply: "Done.", config_hash: begun?.config_hash });
    expect((await results(hive))[1]).toContain("as the agent is configured now");
    expect(readdirSync(join(at, "workspace/main"))).toEqual(["a.txt"]);
    const prompts = provider.requests.map(({ system }) => JSON.stringify(system));
    expect(prompts).toHaveLength(3);
    for (const prompt of prompts) expect(prompt).toContain("You help.");
    expect(await recordsOf(hive)["runs.show"]({ id: run?.run_id ?? "" }, cli)).toMatchObject({
      config_hash: begun?.config_hash,
    });

    await send("hello", { session: "another" });
    await hive.engine.settled();
    expect(JSON.stringify(provider.requests.at(-1)?.system)).toContain("You refuse.");
    expect(hash).not.toBe(begun?.config_hash);
    expect((await runs(hive)).at(-1)).toMatchObject({ config_hash: hash });
  });
});

const cli = { name: "cli" } as never;
const noLimits = {
  config: () => ({ agents: [], connectors: [], schedules: [], budget: { day: noAmounts } }),
  now: () => 0,
};
const recordsOf = ({ engine }: TestHive) => createReadApi(engine.read, noLimits);
