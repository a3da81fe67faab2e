import { describe, expect, it } from "vitest";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";

const registry = createToolRegistry(builtInTools);

describe("the tool registry", () => {
  it("finds a tool by its exact name", () => {
    expect(registry.get("file_read")?.name).toBe("file_read");
  });

  it.each([
    "File_Read",
    "FILE_READ",
    "file_read ",
    " file_read",
    "file-read",
    "file_reаd",
    "ﬁle_read",
    "file_read\u200b",
    "file_read\0",
    "",
    "constructor",
    "__proto__",
    "toString",
  ])("I04: finds nothing under %j", (name) => {
    expect(registry.get(name)).toBeUndefined();
    expect(registry.offered([name])).toEqual([]);
  });

  it("offers what an agent may use, in its order, once each, as plain data", () => {
    const offered = registry.offered(["file_write", "file_read", "file_write", "not_there"]);
    expect(offered.map(({ name }) => name)).toEqual(["file_write", "file_read"]);
    expect(JSON.parse(JSON.stringify(offered))).toEqual(offered);
    expect(Object.keys(offered[0] ?? {})).toEqual(["name", "description", "parameters"]);
  });

  it("refuses two tools of one name and a name that providers refuse", () => {
    const [first] = builtInTools;
    if (first === undefined) throw new Error("no tools");
    expect(() => createToolRegistry([first, first])).toThrow("Two tools are called file_read.");
    for (const name of ["", "a b", "1a", "ä", "a".repeat(65), "a.b"]) {
      expect(() => createToolRegistry([{ ...first, name }])).toThrow("is no tool name");
    }
  });
});

describe("the built-in tools", () => {
  it.each(builtInTools.map((tool) => [tool.name, tool] as const))(
    "%s shows examples that its schema takes",
    (_name, tool) => {
      const examples = [...tool.description.matchAll(/^- (\{.*\}): /gm)].map(
        ([, json]) => JSON.parse(json ?? "") as unknown,
      );
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(tool.validate(example)).toMatchObject({ ok: true });
    },
  );

  it.each(builtInTools.map((tool) => [tool.name, tool] as const))(
    "%s refuses unknown properties",
    (_name, tool) => {
      expect(tool.parameters).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.validate({ path: "a", content: "a", question: "a", surprise: 1 }).ok).toBe(false);
    },
  );

  it("carry the risk classes and recoveries of the design", () => {
    expect(builtInTools.map(({ name, risk, recovery }) => [name, risk, recovery])).toEqual([
      ["file_read", "safe", "repeat"],
      ["file_list", "safe", "repeat"],
      ["file_search", "safe", "repeat"],
      ["file_write", "guarded", "once"],
      ["file_edit", "guarded", "once"],
      ["shell_exec", "unsafe", "once"],
      ["web_fetch", "guarded", "repeat"],
      ["memory_write", "guarded", "keyed"],
      ["memory_search", "safe", "repeat"],
      ["session_search", "safe", "repeat"],
      ["message_send", "guarded", "keyed"],
      ["schedule_create", "guarded", "keyed"],
      ["ask_user", "safe", "repeat"],
    ]);
  });
});
