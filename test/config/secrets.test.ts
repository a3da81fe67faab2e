import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../src/config/config-fault.ts";
import { secretProblem } from "../../src/config/guarded-file.ts";
import { showConfig } from "../../src/config/show-config.ts";
import { configOf, faultsOf, homeWith, loadedFrom } from "./homes.ts";

const anthropic = "config/providers.d/anthropic.yaml";

function homeWithKey(reference: string, files: { readonly [path: string]: string } = {}): string {
  return homeWith({
    [anthropic]: `id: anthropic\ntype: anthropic\napi_key: ${reference}\n`,
    ...files,
  });
}

describe("secrets", () => {
  it("come from a variable or a file, without the line break at its end", () => {
    const env = { MY_KEY: " sk-env-0123456789 " };
    const fromEnv = loadedFrom(homeWithKey("env:MY_KEY"), env).secrets();
    expect(fromEnv).toEqual({
      values: ["sk-env-0123456789"],
      apiKeys: new Map([["anthropic", "sk-env-0123456789"]]),
      connectors: new Map(),
    });
    const home = homeWithKey("file:keys/a", { "keys/a": "sk-file-0123456789\n" });
    const fromFile = loadedFrom(home).secrets();
    expect(fromFile.values).toEqual(["sk-file-0123456789"]);
  });

  it("leave a provider without a key unavailable while its variable is unset or empty", () => {
    for (const env of [{}, { MY_KEY: "" }, { MY_KEY: "  " }]) {
      expect(loadedFrom(homeWithKey("env:MY_KEY"), env).secrets()).toEqual({
        values: [],
        apiKeys: new Map(),
        connectors: new Map(),
      });
    }
  });

  it("are refused as values, without being repeated", () => {
    const faults = faultsOf(homeWithKey("sk-ant-REALLY-SECRET"));
    expect(faults).toMatchObject([{ line: 3, column: 10, path: "api_key" }]);
    expect(faults.map(formatFault).join("")).toContain("env:NAME or file:PATH");
    expect(faults.map(formatFault).join("")).not.toContain("REALLY");
  });

  it.each([
    "123456789012",
    "[sk-REALLY]",
    "{ a: sk-REALLY }",
    "env:9X",
    "file:",
    "FILE:x",
    "env:A B",
  ])("are refused as %s, without being repeated", (value) => {
    const faults = faultsOf(homeWithKey(value));
    expect(faults).toHaveLength(1);
    expect(faults.map(formatFault).join("")).not.toMatch(/REALLY|123456789012/);
  });

  it("may not hold what would break out of an HTTP header", () => {
    const home = homeWithKey("env:MY_KEY");
    const faults = faultsOf(home, { MY_KEY: "sk-0123456789\r\nHost: evil" });
    expect(faults.map(({ message }) => message)).toEqual([
      "the secret holds characters that no key has",
    ]);
  });

  it("are read once: what becomes of the file afterwards changes nothing", () => {
    const home = homeWithKey("file:key", { key: "sk-file-0123456789" });
    const loaded = loadedFrom(home);
    rmSync(join(home, "key"));
    expect(loaded.secrets().values).toEqual(["sk-file-0123456789"]);
    expect(JSON.stringify(loaded)).not.toContain("6789");
  });

  it("are found out also where another part of the file is at fault", () => {
    const home = homeWithKey("file:nowhere\ntimeout_ms: soon");
    expect(faultsOf(home).map(({ path }) => path)).toEqual(["api_key", "timeout_ms"]);
  });

  it("must be files of this user alone, where the system knows users", () => {
    expect(secretProblem({ mode: 0o100_640, uid: 7 }, 7)).toBeNull();
    expect(secretProblem({ mode: 0o100_604, uid: 7 }, 7)).toContain("chmod 600");
    expect(secretProblem({ mode: 0o100_600, uid: 8 }, 7)).toContain("another user (uid 8)");
    expect(secretProblem({ mode: 0o100_666, uid: 8 }, null)).toBeNull();
  });
});

describe("L05: the configuration as it is shown", () => {
  it("holds the reference and no part of the value", () => {
    const env = { MY_KEY: "sk-env-0123456789" };
    const config = configOf(homeWithKey("env:MY_KEY"), env);
    const shown = JSON.stringify(showConfig(config));
    expect(shown).toContain('"api_key":"env:MY_KEY"');
    expect(JSON.stringify(config) + shown).not.toContain("6789");
  });

  it("names the prompts' files instead of their texts", () => {
    expect(showConfig(configOf(homeWith()))).toMatchObject({
      agents: [{ id: "main", prompts: { system: "prompts/main/system.md" } }],
    });
  });
});
