import * as fc from "fast-check";
import { expect, it } from "vitest";
import { matchesCapability, patternFault } from "../../src/policy/capability.ts";
import { verdict } from "../../src/policy/verdict.ts";
import { agentFile } from "../../src/schema/config/config-agent.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { configOf, homeWith } from "./homes.ts";

it("accepts no capability pattern that the policy would call faulty", () => {
  const pieces = [
    "fs.read:",
    "shell.exec:",
    "fs.*:",
    "net.fetch:",
    "/",
    "..",
    "**",
    "a",
    "*",
    ".",
    "\0",
    ":",
    " ",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
      const pattern = parts.join("");
      const accepted = agentFile.safeParse({ id: "a", capabilities: { deny: [pattern] } }).success;
      return !accepted || patternFault(pattern) === undefined;
    }),
    { numRuns: 2_000 },
  );
});

it.each(builtInTools.map((tool) => [tool.name, tool] as const))(
  "takes in an agent's file what the examples of %s need, and all of its kind",
  (name, tool) => {
    const examples = [...tool.description.matchAll(/^- (\{.*\}): /gm)].map(
      ([, json]) => JSON.parse(json ?? "") as JsonObject,
    );
    const needed = [...new Set(examples.flatMap((input) => tool.capabilities(input)))];
    expect(needed.length > 0).toBe(name !== "ask_user");
    const rules = [...needed, ...needed.map((one) => one.replace(/:.*/s, ":*"))];
    const capabilities = { boundary: rules, grant: rules, deny: rules };
    expect(agentFile.parse({ id: "a", capabilities }).capabilities).toEqual(capabilities);
  },
);

it.each([
  "message.send:*",
  "message.send:tg_main/1001",
  "message.send:crm/ann@example.org?a=b:c",
  "memory.read:sessions",
  "memory.write:shared",
  "schedule.create:own",
])("takes %s, which covers what it names", (pattern) => {
  expect(agentFile.safeParse({ id: "a", capabilities: { grant: [pattern] } }).success).toBe(true);
  const named = pattern.replace("*", "tg_main/-100123/7");
  expect(matchesCapability(pattern, named)).toBe(true);
});

it.each([
  "message.send:tg_main",
  "message.send:tg_main/",
  "message.send:/1001",
  "message.send:tg_main/*",
  "message.send:tg_main/a b",
  "message.send:*/1001",
  "schedule.create:all",
  "memory.write:sessions",
])("refuses %s, which would never match", (pattern) => {
  expect(agentFile.safeParse({ id: "a", capabilities: { grant: [pattern] } }).success).toBe(false);
});

it.each([
  ["file_read", "fs.read:notes/a.md", "run"],
  ["file_read", "fs.read:notes/.env", "deny"],
  ["file_read", "fs.read:.env", "deny"],
  ["file_write", "fs.write:notes/a.md", "ask"],
  ["file_edit", "fs.write:notes/a.md", "ask"],
  ["shell_exec", "shell.exec:git status", "ask"],
  ["shell_exec", "shell.exec:sh -c", "ask"],
] as const)("by default, lets %s with %s %s", (name, capability, expected) => {
  const [agent] = configOf(homeWith()).agents;
  const tool = builtInTools.find((one) => one.name === name);
  if (agent === undefined || tool === undefined) throw new Error("must be there");
  const policy = { ...agent.capabilities, ...agent.tools };
  const answer = verdict({ tool, capabilities: [capability], agent: policy, grants: [] });
  expect(answer.verdict).toBe(expected);
});
