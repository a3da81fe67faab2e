import { describe, expect, it } from "vitest";
import { sections } from "../../src/cli/program.ts";
import { run } from "./support/fake-terminal.ts";

const leaves = sections.flatMap(({ nodes }) =>
  nodes.flatMap((node) => {
    const name = node.usage.split(" ")[0] ?? "";
    if (!("children" in node)) return [[name]];
    return [[name], ...node.children.map((child) => [name, child.usage.split(" ")[0] ?? ""])];
  }),
);

function nameOf({ usage }: { readonly usage: string }): string {
  return usage.split(" ")[0] ?? "";
}

function namesIn(help: string): string[] {
  return help
    .split("\n")
    .filter((line) => /^ {2}[a-z]/.test(line))
    .map((line) => line.trim().split(" ")[0] ?? "");
}

describe("help", () => {
  it("lists exactly the commands that exist", async () => {
    const { code, out, err } = await run(["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const nodes = sections.flatMap((section) => section.nodes);
    expect(namesIn(out)).toEqual(nodes.map(nameOf));
  });

  it("lists what a group can do", async () => {
    for (const node of sections.flatMap((section) => section.nodes)) {
      const { out } = await run([nameOf(node), "--help"]);
      expect(namesIn(out)).toEqual("children" in node ? node.children.map(nameOf) : []);
    }
  });

  it.each(leaves.map((path) => [path.join(" "), path] as const))(
    "of %s names the options of every command and gives an example",
    async (_name, path) => {
      const { code, out } = await run([...path, "--help"]);
      expect(code).toBe(0);
      for (const option of ["--home", "--json", "--no-color", "--quiet", "--verbose", "--help"])
        expect(out).toContain(option);
      expect(out).toMatch(/\nExample:\n {2}\$ statehive [a-z]+/);
      expect(out).not.toContain("--timeout");
    },
  );

  it("gives only examples that name their command", async () => {
    const examples = sections.flatMap(({ nodes }) =>
      nodes.flatMap((node) =>
        "children" in node ? node.children.map((child) => [node, child] as const) : [],
      ),
    );
    for (const [group, child] of examples)
      expect(child.example.split(" ").slice(0, 2)).toEqual([
        group.usage,
        child.usage.split(" ")[0],
      ]);
  });
});

describe("a wrong command line", () => {
  it.each([
    [["statsu"], "There is no command 'statsu'.", "Did you mean status?"],
    [["xyzzy"], "There is no command 'xyzzy'.", "`statehive --help` lists them"],
    [["runs", "lst"], "unknown command 'lst'", "Did you mean list?"],
    [["status", "--jsno"], "unknown option '--jsno'", "Did you mean --json?"],
    [["runs", "show"], "missing required argument 'id'", "`--help` shows what can be said"],
    [
      ["runs", "list", "--limit", "0"],
      "option '--limit <n>' argument '0' is invalid. It is no whole number above 0.",
      "`--help` shows what can be said",
    ],
    [
      ["audit", "query", "--after", "yesterday"],
      "option '--after <time>' argument 'yesterday' is invalid. Write it as 2026-01-31 or 2026-01-31T20:00:00Z.",
      "`--help` shows what can be said",
    ],
    [
      ["chat", "-p", "x", "--approve", "all"],
      "option '--approve <how>' argument 'all' is invalid. Allowed choices are once, deny.",
      "`--help` shows what can be said",
    ],
    [
      ["actors", "send", "system", "x", "[1]"],
      "The payload is no JSON object: [1]",
      `write it as '{"reason":"too slow"}'`,
    ],
    [["status", "--home", ""], "--home needs a directory, but is empty", undefined],
  ])("%j exits with 2 and says what is wrong", async (argv, message, hint) => {
    const plain = await run(argv);
    expect(plain).toEqual({
      code: 2,
      out: "",
      err: `statehive: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`,
    });
    const { code, out, err } = await run([...argv, "--json"]);
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(JSON.parse(out)).toEqual({
      ok: false,
      error: { code: "usage", message, hint: hint ?? null },
    });
  });

  it("is also a group without a command, which lists what there is on stderr", async () => {
    const { code, out, err } = await run(["approvals"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("allow [id]");
    expect(err).toContain("statehive: A command is missing.");
  });
});

describe("an option of every command", () => {
  it.each([
    [["--json", "machines", "list"]],
    [["machines", "--json", "list"]],
    [["machines", "list", "--json"]],
  ])("is taken at any place: %j", async (argv) => {
    const { code, out } = await run(argv);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true });
  });

  it("is taken from the place nearest to the command", async () => {
    const { out } = await run(["--home", "/one", "config", "validate", "--home", "/two", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      error: { message: "/two is no home: it has no config folder." },
    });
  });

  it("is text where text is wanted", async () => {
    const { code, err } = await run(["chat", "--home", "/nowhere", "-p", "-q"]);
    expect(code).toBe(3);
    expect(err).toContain("No service runs");
  });
});

describe("without a service", () => {
  it.each([
    [["status"]],
    [["chat", "-p", "hello"]],
    [["approvals", "list"]],
    [["approvals", "allow", "a1"]],
    [["actors", "tree"]],
    [["actors", "watch"]],
    [["runs", "list"]],
    [["sessions", "list"]],
    [["task", "list"]],
    [["audit", "query"]],
    [["audit", "verify"]],
  ])("%j exits with 3 and says how to start one", async (argv) => {
    expect(await run(argv, { env: { STATEHIVE_HOME: "/nowhere" } })).toEqual({
      code: 3,
      out: "",
      err: "statehive: No service runs for this home.\n  `statehive start` starts one\n",
    });
  });

  it("the commands it names are for the home that was given", async () => {
    const { err } = await run(["status", "--home", "/no where"]);
    expect(err).toContain("`statehive start --home '/no where'` starts one");
  });

  it("stop has nothing to do", async () => {
    expect(await run(["stop", "--home", "/nowhere"])).toEqual({
      code: 0,
      out: "statehive is not running.\n",
      err: "",
    });
  });

  it("machines and version work", async () => {
    expect(await run(["version"])).toEqual({
      code: 0,
      out: `statehive 0.1.0 (Node ${process.versions.node})\n`,
      err: "",
    });
    expect((await run(["machines", "show", "approval"])).out).toContain("stateDiagram-v2");
    expect((await run(["machines", "show", "nothing"])).code).toBe(6);
  });
});

describe("chat", () => {
  it("wants a terminal or a text, and never asks without a terminal", async () => {
    const error = { code: 2, out: "" };
    expect(await run(["chat", "--home", "/nowhere"], { input: "" })).toMatchObject(error);
    expect(await run(["chat", "--home", "/nowhere"], { input: " \n" })).toMatchObject(error);
    expect(await run(["chat", "--home", "/nowhere", "-p", ""])).toMatchObject(error);
    expect(await run(["chat", "--home", "/nowhere", "--json"], { isTTY: true })).toMatchObject({
      code: 2,
    });
    expect(
      await run(["chat", "--home", "/nowhere", "--approve", "deny"], { isTTY: true }),
    ).toMatchObject(error);
  });
});
