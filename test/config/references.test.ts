import { describe, expect, it } from "vitest";
import { configOf, faultsOf, homeWith, linesOf, type Files } from "./homes.ts";

const agent = "config/agents.d/main.yaml";
const routing = "config/routing.yaml";
const disabled: Files = {
  "config/agents.d/ops.yaml": "id: ops\nenabled: false\n",
  "prompts/ops/system.md": "You watch.\n",
};

describe("Y04: references between files", () => {
  it.each<[string, Files, string[]]>([
    [
      "a default agent that is not there",
      { [routing]: "default_agent: mian\n" },
      [`${routing}:1:16 default_agent: no agent has this id`],
    ],
    [
      "a default agent that is disabled",
      { ...disabled, [routing]: "default_agent: ops\n" },
      [`${routing}:1:16 default_agent: the agent ops is disabled`],
    ],
    [
      "a binding to an agent that is not there, and to one that is disabled",
      {
        ...disabled,
        [routing]:
          'bindings:\n  - { match: { user_scope: "1" }, agent: oops }\n  - { match: { user_scope: "2" }, agent: ops }\n',
      },
      [
        `${routing}:2:42 bindings.0.agent: no agent has this id`,
        `${routing}:3:42 bindings.1.agent: the agent ops is disabled`,
      ],
    ],
    [
      "a binding to a connector that is not there",
      { [routing]: "bindings: [{ match: { connector_id: tg }, agent: main }]\n" },
      [`${routing}:1:37 bindings.0.match.connector_id: no connector has this id`],
    ],
    [
      "a binding that is never reached",
      {
        [routing]:
          "bindings:\n  - { match: { channel_type: local }, agent: main }\n  - { match: { user_scope: null, channel_type: local }, agent: main }\n",
      },
      [`${routing}:3:5 bindings.1: is never reached: the binding in line 2 matches the same`],
    ],
    [
      "a number where a scope is text",
      { [routing]: "bindings: [{ match: { user_scope: 1001 }, agent: main }]\n" },
      [`${routing}:1:35 bindings.0.match.user_scope: found a number`],
    ],
    [
      "sub-agents and fallbacks that are not there",
      {
        [agent]:
          "id: main\nsub_agents: { allow: [main, resercher] }\nmodel_policy: { fallbacks: [offline/rules, nowhere/x] }\n",
      },
      [
        `${agent}:2:29 sub_agents.allow.1: no agent has this id`,
        `${agent}:3:44 model_policy.fallbacks.1: no provider has this id`,
      ],
    ],
    [
      "two connectors or schedules with one id, and a connector named as the local chat",
      {
        "config/main.yaml":
          "connectors:\n  - { id: a, type: telegram, token: env:A }\n  - { id: a, type: telegram, token: env:A }\n  - { id: local, type: telegram, token: env:A }\n",
        "config/schedules.yaml":
          '- { id: n, cron: "0 0 * * *", command: RunScheduledConsolidation }\n- { id: n, cron: "0 0 * * *", command: RunScheduledConsolidation }\n',
      },
      [
        "config/main.yaml:3:11 connectors.1.id: another connector has the same id",
        "config/main.yaml:4:11 connectors.2.id: the id local is the chat of this machine; choose another",
        "config/schedules.yaml:2:9 1.id: another schedule has the same id",
      ],
    ],
  ])("refuses %s", (_name, files, lines) => {
    expect(linesOf(homeWith(files))).toEqual(lines);
  });

  it("says which agents there are and which was meant", () => {
    const [fault] = faultsOf(homeWith({ ...disabled, [routing]: "default_agent: mian\n" }));
    expect(fault).toMatchObject({ expected: "one of main, ops", nearest: "main" });
  });

  it("takes a connector of main.yaml and the local chat", () => {
    const home = homeWith({
      "config/main.yaml": "connectors: [{ id: tg, type: telegram, token: env:TG }]\n",
      [routing]:
        "bindings:\n  - { match: { connector_id: tg }, agent: main }\n  - { match: { connector_id: local }, agent: main }\n",
    });
    expect(linesOf(home)).toEqual([]);
  });

  it("names the default agent: main, else the first enabled one", () => {
    expect(configOf(homeWith(disabled)).routing.default_agent).toBe("main");
    const renamed = { [agent]: "id: zoe\n", "prompts/zoe/system.md": "Hi.\n", ...disabled };
    expect(configOf(homeWith(renamed)).routing.default_agent).toBe("zoe");
  });
});

describe("Y04: values in lists and tables", () => {
  it.each<[string, string, string]>([
    [
      "a chat id of twenty digits",
      "connectors: [{ id: a, type: telegram, token: env:A, allow_users: [12345678901234567890] }]\n",
      "1:67 connectors.0.allow_users.0: the number has too many digits to be exact; where a text is expected, put it in quotes",
    ],
    [
      "a chat id in quotes",
      'connectors: [{ id: a, type: telegram, token: env:A, allow_users: ["1"] }]\n',
      '1:67 connectors.0.allow_users.0: found "1"',
    ],
    [
      "a port that no host has",
      "connectors: [{ id: a, type: telegram, token: env:A, api_root: 'http://127.0.0.1:99999' }]\n",
      "1:63 connectors.0.api_root: not in the right form",
    ],
    [
      "a price of a model that is none",
      "prices: { sonnet: { input_usd_per_mtok: 1, output_usd_per_mtok: 2 } }\n",
      "1:11 prices.sonnet: the key is not in the right form",
    ],
    [
      "a price without its half",
      "prices: { a/b: { input_usd_per_mtok: 1 } }\n",
      "1:11 prices.a/b.output_usd_per_mtok: is missing",
    ],
    [
      "a weight out of range",
      "memory: { vector_weight: 2 }\n",
      "1:26 memory.vector_weight: found 2",
    ],
    [
      "a server named ../x",
      "mcp: { servers: { ../x: { command: a } } }\n",
      "1:19 mcp.servers.../x: the key is not in the right form",
    ],
    [
      "a connector of another type",
      "connectors: [{ id: a, type: irc, token: env:A }]\n",
      '1:29 connectors.0.type: found "irc"',
    ],
  ])("refuses %s", (_name, yaml, line) => {
    expect(linesOf(homeWith({ "config/main.yaml": yaml }))).toEqual([`config/main.yaml:${line}`]);
  });

  it.each([
    ["60 * * * *", "cannot be read as a time: the minute is out of range"],
    ["* 24 * * *", "cannot be read as a time: the hour is out of range"],
    ["* * 0 * *", "cannot be read as a time: the day is out of range"],
    ["* * * 13 *", "cannot be read as a time: the month is out of range"],
    ["* * * * 9", "cannot be read as a time: the weekday is out of range"],
    ["*/0 * * * *", "cannot be read as a time: illegal stepping: 0"],
    ["9-5 * * * *", "cannot be read as a time: From value is larger than to value: '9-5'"],
    ["0 0 30 2 *", "is never due: no year has such a day"],
    ["* * * *", "not in the right form"],
    ["@daily", "not in the right form"],
    ["? * * * *", "not in the right form"],
    ["", "not in the right form"],
  ])("refuses the times %j", (cron, why) => {
    const yaml = `- { id: a, cron: ${JSON.stringify(cron)}, command: RunScheduledConsolidation }\n`;
    expect(linesOf(homeWith({ "config/schedules.yaml": yaml }))).toEqual([
      `config/schedules.yaml:1:18 0.cron: ${why}`,
    ]);
  });

  it.each([
    ["", "0: has no agent and no task"],
    ["agent: main", "0: has no task"],
    ["task: hello", "0: has no agent"],
    ["agent: mian, task: hello", "0.agent: no agent has this id"],
    ["agent: main, task: '  '", "0.task: not in the right form"],
    [
      "command: RunScheduledConsolidation, task: hello",
      "0.task: goes with a task, not with a command",
    ],
    [
      "agent: main, task: hello, deliver: { connector: tg, scope: '1' }",
      "0.deliver.connector: no connector has this id",
    ],
    [
      "agent: main, task: hello, deliver: { connector: tg_main, scope: '1 2' }",
      "0.deliver.scope: not in the right form",
    ],
    ["agent: main, task: hello, deliver: { connector: tg_main, scope: '1' }", undefined],
  ])("wants of a schedule one thing to do: %s", (work, fault) => {
    const lines = linesOf(
      homeWith({
        "config/main.yaml": "connectors: [{ id: tg_main, type: telegram, token: env:A }]\n",
        "config/schedules.yaml": `- { id: a, cron: "0 0 * * *", ${work} }\n`,
      }),
    ).filter((line) => line.startsWith("config/schedules.yaml"));
    expect(lines.map((line) => line.replace(/^\S+ /, ""))).toEqual(
      fault === undefined ? [] : [fault],
    );
  });

  it("knows the zones of the world", () => {
    const withZone = (zone: string) =>
      linesOf(
        homeWith({
          "config/schedules.yaml": `- { id: a, cron: "*/5,0 0-23/2 1 1-12 0-7", timezone: ${zone}, command: RunScheduledConsolidation }\n`,
        }),
      );
    expect([withZone("local"), withZone("UTC"), withZone("Europe/Berlin")]).toEqual([[], [], []]);
    expect(withZone("Europe/Berln")).toEqual([
      "config/schedules.yaml:1:55 0.timezone: not in the right form",
    ]);
  });
});

describe("a file whose YAML is broken in one place", () => {
  it("still has the faults of its other parts listed, and those of other files", () => {
    const home = homeWith({
      [agent]:
        'id: main\nlimits: { max_tool_rounds: many }\nidentity:\n  name: "open\n  emoji: x\nmodel_policy: { primary: nowhere/x }\n',
      "config/main.yaml": "sessions: { queue: lifo }\nruns: [\n",
    });
    expect(linesOf(home)).toEqual([
      `${agent}:2:28 limits.max_tool_rounds: found "many"`,
      expect.stringMatching(/main\.yaml:[0-9]+:[0-9]+ : .*/),
      'config/main.yaml:1:20 sessions.queue: found "lifo"',
      expect.stringMatching(/^config\/main\.yaml:[23]:[0-9]+ : /),
    ]);
  });

  it("goes on after a part that ends, and calls nothing missing that may only be out of sight", () => {
    const home = homeWith({
      [agent]: "identity: { name: a b: c\nid: main\nenabled: perhaps\n",
      "config/providers.d/offline.yaml": "id: @offline\ntype: ofline\n",
    });
    const lines = linesOf(home);
    expect(lines).toContain(`${agent}:3:10 enabled: found "perhaps"`);
    expect(lines.filter((line) => line.includes("is missing"))).toEqual([]);
    expect(lines).toContain('config/providers.d/offline.yaml:2:7 type: found "ofline"');
  });

  it("has anchors and tags in its other parts listed too", () => {
    const home = homeWith({ [agent]: "id: main\nenabled: !x true\nroots: [\n" });
    expect(linesOf(home)).toEqual([
      `${agent}:2:13 enabled: tags (!name) are not read; write the plain value`,
      expect.stringContaining("Flow sequence"),
    ]);
  });

  it("still has its faults listed beside an anchor or a tag", () => {
    const home = homeWith({ [agent]: "id: main\nenabled: &x true\nlimits: { a: 1 }\n" });
    expect(linesOf(home)).toEqual([
      `${agent}:2:13 enabled: anchors (&name) are not read; write the value out`,
      `${agent}:3:11 limits.a: unknown key`,
    ]);
  });
});
