import { describe, expect, it } from "vitest";
import { agentFile } from "../../src/schema/config/config-agent.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { toolName } from "../../src/schema/config/config-tools.ts";
import { notYetWork } from "../../src/config/not-yet.ts";
import { homeWith, linesOf, warningsOf } from "./homes.ts";

const agent = "config/agents.d/main.yaml";

describe("a setting that this version does not act on", () => {
  it("is named once, where it was set away from its default", () => {
    const home = homeWith({
      "config/main.yaml":
        "memory: { preset: tuned }\nembeddings: { provider: none }\nmcp: { servers: { a: { command: b } } }\n",
    });
    expect(warningsOf(home)).toEqual([
      "config/main.yaml:3:1 mcp: this version does not use MCP servers yet; the setting has no effect",
    ]);
  });

  it.each([
    ["roots: []\nbudget: { day: { usd: 5 } }\n", []],
    [
      "limits: { max_depth: 2 }\n",
      [":2:11 limits.max_depth: this version does not run sub-agents yet"],
    ],
    [
      "tools: { allow: [file_read, spawn_agent] }\n",
      [":2:29 tools.allow.1: this version does not have the tool spawn_agent yet"],
    ],
    [
      "tools: { risk: { spawn_agent: safe } }\n",
      [":2:18 tools.risk.spawn_agent: this version does not have the tool spawn_agent yet"],
    ],
    [
      'capabilities: { boundary: ["fs.read:**", "agent.spawn:*"] }\n',
      [":2:42 capabilities.boundary.1: this version does not run sub-agents yet"],
    ],
    [
      'capabilities: { boundary: ["memory.read:*"], deny: ["memory.read:sessions"], grant: ["memory.write:own"] }\n',
      [],
    ],
  ])("is named with its place: %j", (yaml, expected) => {
    const lines = expected.map((line) => `${agent}${line}; the setting has no effect`);
    expect(warningsOf(homeWith({ [agent]: `id: main\n${yaml}` }))).toEqual(lines);
  });

  it("may be a provider, but no agent may be given a model of it", () => {
    const files = {
      "config/providers.d/openai.yaml": "id: gpt\ntype: openai\napi_key: env:OPENAI_API_KEY\n",
    };
    expect(warningsOf(homeWith(files))).toEqual([
      "config/providers.d/openai.yaml:2:1 type: this version does not speak to providers of type openai yet; the setting has no effect",
    ]);
    const home = homeWith({
      ...files,
      [agent]: "id: main\nmodel_policy: { primary: gpt/gpt-5 }\n",
    });
    expect(linesOf(home)).toEqual([
      `${agent}:2:26 model_policy.primary: this version does not speak to providers of type openai yet`,
    ]);
  });
});

it("calls exactly the tools that ship usable, and offers those unless told otherwise that reach nobody else", () => {
  const shipped = builtInTools.map((tool) => tool.name).toSorted();
  const usable = toolName.options.filter((name) => notYetWork(toolName, name) === undefined);
  expect(usable.toSorted()).toEqual(shipped);
  const inward = shipped.filter((name) => !["message_send", "schedule_create"].includes(name));
  expect(agentFile.parse({ id: "a" }).tools.allow.toSorted()).toEqual(inward);
});
