import { expect, it } from "vitest";
import { z } from "zod";
import { homeWith } from "../config/homes.ts";
import { run } from "./support/fake-terminal.ts";

const listed = z.strictObject({
  ok: z.literal(true),
  data: z.array(
    z.strictObject({
      name: z.string(),
      risk: z.enum(["safe", "guarded", "unsafe"]),
      recovery: z.enum(["repeat", "keyed", "once"]),
      capabilities: z.array(z.string()),
      description: z.string(),
      parameters: z.looseObject({ type: z.literal("object") }),
    }),
  ),
});

it("lists every tool with what a call of it needs, without a home or a service", async () => {
  const { code, out } = await run(["tools", "list", "--json", "--home", "/nowhere"]);
  expect(code).toBe(0);
  const { data } = listed.parse(JSON.parse(out));
  const needs = Object.fromEntries(data.map(({ name, capabilities }) => [name, capabilities]));
  expect(needs).toMatchObject({
    file_read: ["fs.read:PATH"],
    file_edit: ["fs.read:PATH", "fs.write:PATH"],
    shell_exec: ["shell.exec:COMMAND"],
    web_fetch: ["net.fetch:HOST"],
    session_search: ["memory.read:sessions"],
    ask_user: [],
  });
});

it("lists an agent's own tools in its order, with its risk classes", async () => {
  const home = homeWith({
    "config/agents.d/main.yaml":
      "id: main\ntools: { allow: [shell_exec, file_read], risk: { file_read: unsafe } }\n",
  });
  const { out } = await run(["tools", "list", "--agent", "main", "--home", home]);
  expect(out).toMatch(/^TOOL +RISK +AFTER A CRASH +NEEDS +DOES\n/);
  expect(
    out
      .split("\n")
      .slice(1, 3)
      .map((line) => line.split(/ +/).slice(0, 3)),
  ).toEqual([
    ["shell_exec", "unsafe", "once"],
    ["file_read", "unsafe", "repeat"],
  ]);
});

it("says which of an agent's tools this version does not have yet", async () => {
  const home = homeWith({
    "config/agents.d/main.yaml":
      "id: main\ntools: { allow: [spawn_agent, file_read, skill_read] }\n",
  });
  const { out } = await run(["tools", "list", "--agent", "main", "--home", home]);
  expect(out).toContain(
    "\nIt is also allowed what this version does not have yet: spawn_agent, skill_read.\n",
  );
  const json = await run(["tools", "list", "--agent", "main", "--json", "--home", home]);
  expect(listed.parse(JSON.parse(json.out)).data.map(({ name }) => name)).toEqual(["file_read"]);
});

it("says which agents there are when asked for another", async () => {
  const { code, err } = await run(["tools", "list", "--agent", "x", "--home", homeWith()]);
  expect(code).toBe(6);
  expect(err).toContain('There is no agent "x"; there are: main.');
});
