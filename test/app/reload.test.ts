import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tellReloaded } from "../../src/app/root.ts";
import { reached, results, runs, statesOf } from "../actors/hive-watch.ts";
import { homeWith } from "../config/homes.ts";
import { type Reply, says, startAnthropicServer } from "../support/anthropic-server.ts";
import { type ConfiguredHive, configuredHive } from "../support/configured-hive.ts";

const keys = { OLD_KEY: "sk-old-0123456789abcdef", NEW_KEY: "sk-new-0123456789abcdef" };
const provider = (url: string, key = "OLD_KEY") =>
  `id: own\ntype: anthropic\napi_key: env:${key}\nbase_url: ${url}\n`;
const nowhere = "http://127.0.0.1:9";
const prices = (input: number) =>
  `prices:\n  own/m: { input_usd_per_mtok: ${input}, output_usd_per_mtok: 1 }\n`;
const usage = {
  input_tokens: 1_000_000,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
};

/** A model's server that answers each request when it is told to. */
async function heldServer() {
  const asked: ((reply: Reply) => void)[] = [];
  const waiting: ((answer: (reply: Reply) => void) => void)[] = [];
  const server = await startAnthropicServer(
    () =>
      new Promise<Reply>((answer) => {
        const next = waiting.shift();
        if (next === undefined) asked.push(answer);
        else next(answer);
      }),
  );
  onTestFinished(() => server.close());
  return {
    url: server.url,
    next: () => {
      const first = asked.shift();
      if (first !== undefined) return Promise.resolve(first);
      return new Promise<(reply: Reply) => void>((resolve) => waiting.push(resolve));
    },
  };
}

/** Reads the configuration again as the service does. */
async function reload({ live, hive }: ConfiguredHive, by = "cli") {
  const reloaded = await live.reload(by);
  await tellReloaded(hive.engine, () => {}, { by, changes: reloaded });
  return reloaded;
}

/** All that a configuration is at work in. */
const atWork = ({ live, secrets }: ConfiguredHive) => ({
  agents: ["main", "notes"].map((id) => live.agents.get(id)?.configHash),
  model: live.models.resolve("auto").provider.id,
  cost: live.costOf("own/m", usage),
  max: live.now().runs.max_concurrent,
  redacted: secrets.json([keys.OLD_KEY, keys.NEW_KEY]),
});

describe("a reload of the configuration", () => {
  const start = () =>
    configuredHive(
      homeWith({
        "config/main.yaml": `runs: { max_concurrent: 3 }\n${prices(2)}`,
        "config/providers.d/own.yaml": provider(nowhere),
      }),
      { env: keys },
    );
  const editAll = ({ edit }: ConfiguredHive) => {
    edit("config/main.yaml", `runs: { max_concurrent: 5 }\n${prices(7)}`);
    edit("config/providers.d/own.yaml", provider(nowhere, "NEW_KEY"));
    edit("config/agents.d/main.yaml", "id: main\nmodel_policy: { max_tokens: 10 }\n");
  };

  it.each([
    ["an agent's file", "config/agents.d/main.yaml", "id: main\nlimits: { max_tool_rounds: no }\n"],
    ["a provider's file", "config/providers.d/offline.yaml", "id: offline\ntype: nonsense\n"],
    ["main.yaml", "config/main.yaml", "runs: { max_concurrent: 0 }\n"],
    ["the routing", "config/routing.yaml", "default_agent: nobody\n"],
    ["YAML itself", "config/schedules.yaml", "{\n"],
  ])(
    "with a fault in %s changes nothing at all, and is taken over once it is mended",
    async (_what, file, text) => {
      const world = await start();
      const before = atWork(world);
      editAll(world);
      world.edit(file, text);
      await expect(world.live.reload("cli")).rejects.toMatchObject({ code: "config.invalid" });
      expect(atWork(world)).toEqual(before);
      expect(world.live.broken()).toMatchObject({ since: 1_000_000 });

      const mended: Record<string, string> = {
        "config/providers.d/offline.yaml": "id: offline\ntype: offline\n",
        "config/routing.yaml": "default_agent: main\n",
        "config/schedules.yaml": "[]\n",
      };
      editAll(world);
      if (mended[file] !== undefined) world.edit(file, mended[file]);
      await world.live.reload("cli");
      expect(world.live.broken()).toBeNull();
      const after = atWork(world);
      expect(after).toMatchObject({ cost: 7_000_000, max: 5, model: "own" });
      expect(after.agents[0]).not.toBe(before.agents[0]);
      expect(after.redacted.join()).not.toContain("sk-");
    },
  );

  it("leaves everything as it was where a workspace cannot be opened", async () => {
    const world = await start();
    const before = atWork(world);
    editAll(world);
    world.edit("workspace/late", "a file in the place of a directory");
    mkdirSync(join(world.live.now().home, "prompts/late"));
    world.edit("prompts/late/system.md", "You come late.\n");
    world.edit("config/agents.d/late.yaml", "id: late\n");
    await expect(world.live.reload("cli")).rejects.toMatchObject({ code: "home.invalid" });
    expect(atWork(world)).toEqual(before);
  });

  it("is done one after the other when two ask at once; each tells what it changed", async () => {
    const world = await start();
    editAll(world);
    const [first, second] = await Promise.all([world.live.reload("a"), world.live.reload("b")]);
    expect(first.settings).toContain("runs.max_concurrent");
    expect(second).toMatchObject({ settings: [], agents: { changed: [] } });
    expect(world.logged.map(([, { by }]) => by)).toEqual(["a", "b"]);
  });

  it("is a step of the root in the journal, with who asked and what differs", async () => {
    const world = await start();
    editAll(world);
    const step = reached(world.hive, "system", "running");
    await reload(world, "ann (cli)");
    expect(await step).toMatchObject({
      event_type: "config.reloaded",
      outcome: "handled",
      event: { by: "ann (cli)", agents: { changed: ["main"] }, providers: { changed: ["own"] } },
    });
  });
});

describe("runs that are under way while the configuration is read again", () => {
  it("end their model call with what they began with; the next call is judged by the stricter policy", async () => {
    const server = await heldServer();
    const home = homeWith({ "config/providers.d/own.yaml": provider(server.url) });
    const world = await configuredHive(home, { env: keys });
    await world.send("write it");
    const answer = await server.next();
    world.edit("config/agents.d/main.yaml", "id: main\ncapabilities: { deny: ['fs.write:**'] }\n");
    await reload(world);
    const input = { path: "a.txt", content: "hi" };
    answer({ content: [{ type: "tool_use", id: "t1", name: "file_write", input }] });
    (await server.next())(says("Done."));
    await world.hive.engine.settled();
    expect(await results(world.hive)).toEqual([
      expect.stringContaining("as the agent is configured now"),
    ]);
    expect(await runs(world.hive)).toMatchObject([{ state: "done", reply: "Done." }]);
    expect(existsSync(join(home, "workspace/main/a.txt"))).toBe(false);
  });

  it("and wait for a slot get one as soon as there are more; fewer slots stop nobody", async () => {
    const server = await heldServer();
    const world = await configuredHive(
      homeWith({
        "config/main.yaml": "runs: { max_concurrent: 1 }\n",
        "config/providers.d/own.yaml": provider(server.url),
      }),
      { env: keys },
    );
    const { hive } = world;
    for (const session of ["one", "two", "three"]) await world.send("hello", { session });
    expect(await statesOf(hive, "run")).toEqual(["idle", "idle", "thinking"]);
    world.edit("config/main.yaml", "runs: { max_concurrent: 2 }\n");
    await reload(world);
    expect(await statesOf(hive, "run")).toEqual(["idle", "thinking", "thinking"]);
    world.edit("config/main.yaml", "runs: { max_concurrent: 1 }\n");
    await reload(world);
    expect(await statesOf(hive, "run")).toEqual(["idle", "thinking", "thinking"]);
    for (let answered = 0; answered < 3; answered += 1) (await server.next())(says("Done."));
    await hive.engine.settled();
    expect(await statesOf(hive, "run")).toEqual(["done", "done", "done"]);
  });
});
