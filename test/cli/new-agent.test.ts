import { existsSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { configOf, homeWith } from "../config/homes.ts";
import { fakeTerminal } from "./support/fake-terminal.ts";

const model = `# how we work
id: main
identity: { name: Boss, emoji: "🦀" }
# costs
model_policy:
  max_tokens: 77 # enough
`;

async function added(home: string, ...words: readonly string[]) {
  const terminal = fakeTerminal();
  const exit = await runCli(["agents", "add", ...words, "--home", home], terminal);
  return { exit, out: terminal.out(), err: terminal.err() };
}

const read = (home: string, path: string) => readFileSync(join(home, path), "utf8");
const agentOf = (home: string, id: string) => configOf(home).agents.find((one) => one.id === id);

describe("agents add", () => {
  it("takes everything but who it is from another agent, its prompts and comments too", async () => {
    const home = homeWith({
      "config/agents.d/main.yaml": model,
      "prompts/main/style.md": "Be brief.\n",
    });
    const { exit } = await added(home, "notes", "--from", "main", "--model", "offline/rules");
    expect(exit).toBe(0);
    expect(read(home, "config/agents.d/notes.yaml")).toContain("max_tokens: 77 # enough");
    expect(agentOf(home, "notes")).toMatchObject({
      identity: { name: "notes", emoji: null, public_label: "notes" },
      model_policy: { primary: "offline/rules", max_tokens: 77 },
      workspace: expect.stringMatching(/workspace\/notes$/),
      prompts: { system: "You help.", style: "Be brief." },
    });
    expect(read(home, "config/agents.d/main.yaml")).toBe(model);
  });

  it.each([
    ["a colon", 'Ann: "the best" # really'],
    ["an alias", "*anchor"],
    ["a tag", "!!js/function f"],
    ["a document's end", "--- a"],
    ["a number", "0123"],
    ["nothing that YAML takes for text", "null"],
  ])("writes a name with %s as that very name", async (_what, name) => {
    const home = homeWith();
    expect((await added(home, "notes", "--name", name)).exit).toBe(0);
    expect(agentOf(home, "notes")?.identity.name).toBe(name);
  });

  it.each([
    ["../../evil"],
    ["a/b"],
    [".hidden"],
    ["Upper"],
    ["a b"],
    ["__proto__"],
    ["a\u001b[31m"],
    ["x".repeat(500)],
  ])("refuses the id %j, and shows it cleaned", async (id) => {
    const home = homeWith();
    const before = JSON.stringify(configOf(home));
    const { exit, err } = await added(home, id);
    expect(exit).toBe(2);
    expect(err).not.toContain("\u001b");
    expect(JSON.stringify(configOf(home))).toBe(before);
  });

  it.each([
    [["notes", "--model", "nobody/at-all"], 78],
    [["notes", "--from", "nobody"], 6],
    [["main"], 1],
  ])("refuses %j with exit %i, and writes nothing", async (words, code) => {
    const home = homeWith();
    const { exit, err } = await added(home, ...words);
    expect([exit, err]).toEqual([code, expect.stringContaining("statehive: ")]);
    expect(existsSync(join(home, "config/agents.d/notes.yaml"))).toBe(false);
    expect(existsSync(join(home, "prompts/notes"))).toBe(false);
  });

  it("replaces no file that is there, and leaves none behind", async () => {
    const home = homeWith();
    mkdirSync(join(home, "prompts/notes"));
    writeFileSync(join(home, "prompts/notes/system.md"), "Mine.\n");
    expect((await added(home, "notes")).exit).not.toBe(0);
    expect(read(home, "prompts/notes/system.md")).toBe("Mine.\n");
    expect(existsSync(join(home, "config/agents.d/notes.yaml"))).toBe(false);
  });
});
