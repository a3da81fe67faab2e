import * as fc from "fast-check";
import { expect, it } from "vitest";
import { patternFault } from "../../src/policy/capability.ts";
import { verdict } from "../../src/policy/verdict.ts";
import { agentFile } from "../../src/schema/config-agent.ts";
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
