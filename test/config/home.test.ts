import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  initHome,
  isHome,
  makeHomeDirectories,
  packageRoot,
  resolveHome,
} from "../../src/config/home.ts";
import { agentFile } from "../../src/schema/config/config-agent.ts";
import { mainFile } from "../../src/schema/config/config-main.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { configOf, temporaryDirectory, warningsOf } from "./homes.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    return thrown instanceof AgentError ? thrown.code : "not an AgentError";
  }
  return "nothing thrown";
}

const shipped = [
  "config/agents.d/main.yaml",
  "config/main.yaml",
  "config/providers.d/anthropic.yaml",
  "config/providers.d/offline.yaml",
  "config/routing.yaml",
  "config/schedules.yaml",
  "prompts/main/safety.md",
  "prompts/main/style.md",
  "prompts/main/system.md",
];

describe("the home's place", () => {
  it.each([
    [{ flag: "/a", env: { STATEHIVE_HOME: "/b" } }, "/a"],
    [{ env: { STATEHIVE_HOME: "/b" } }, "/b"],
    [{ env: { STATEHIVE_HOME: "" } }, "/home/me/.statehive"],
    [{ env: { STATEHIVE_HOME: "~/hive" } }, "/home/me/hive"],
    [{ flag: "~", env: {} }, "/home/me"],
    [{ flag: "~other/x", env: {} }, join(process.cwd(), "~other/x")],
    [{ env: {} }, "/home/me/.statehive"],
  ])("is, for %j, %s", (wanted, home) => {
    expect(resolveHome({ ...wanted, homedir: "/home/me" })).toBe(home);
  });

  it("refuses an empty --home and a name with NUL", () => {
    expect(codeOf(() => resolveHome({ flag: undefined, env: {}, homedir: "" }))).toBe(
      "home.invalid",
    );
    expect(codeOf(() => resolveHome({ flag: " ", env: {}, homedir: "/home/me" }))).toBe("usage");
    expect(codeOf(() => resolveHome({ flag: "a\0b", env: {}, homedir: "/home/me" }))).toBe(
      "home.invalid",
    );
  });
});

describe("init", () => {
  it("writes a private home that is valid and says what it wrote", () => {
    const home = join(temporaryDirectory(), "new/home");
    expect(isHome(home)).toBe(false);
    expect(initHome(home)).toEqual({ home, written: shipped, kept: [] });
    expect(isHome(home)).toBe(true);
    for (const folder of [
      "",
      "config",
      "prompts/main",
      "workspace/main",
      "sessions",
      "data",
      "run",
      "logs",
    ]) {
      expect([folder, modeOf(join(home, folder))]).toEqual([folder, "700"]);
    }
    for (const file of shipped) expect([file, modeOf(join(home, file))]).toEqual([file, "600"]);
    expect(configOf(home).agents.map(({ id }) => id)).toEqual(["main"]);
  });

  it("ships the defaults of the shapes, so that what is read is what would be without it", () => {
    const home = temporaryDirectory();
    initHome(home);
    const config = configOf(home);
    const { agents, engine, routing, schedules } = config;
    const defaults = mainFile.parse({});
    expect({ ...config, engine: { ...engine, url: defaults.engine.url } }).toMatchObject(defaults);
    expect({ routing, schedules }).toEqual({
      routing: { default_agent: "main", bindings: [] },
      schedules: [
        {
          id: "consolidate",
          cron: "30 3 * * *",
          timezone: "local",
          command: "RunScheduledConsolidation",
        },
      ],
    });
    expect(warningsOf(home)).toEqual([]);
    const { limits, capabilities, tools, model_policy: model } = agentFile.parse({ id: "main" });
    expect(agents[0]).toMatchObject({ limits, capabilities, tools, model_policy: model });
    expect(Object.values(agents[0]?.prompts ?? {}).every((prompt) => prompt.length > 200)).toBe(
      true,
    );
  });

  it("may be repeated, overwrites nothing and writes again what was removed", () => {
    const home = temporaryDirectory();
    initHome(home);
    writeFileSync(join(home, "config/main.yaml"), "# mine\n");
    rmSync(join(home, "prompts/main/style.md"));
    rmSync(join(home, "run"), { recursive: true });
    expect(initHome(home)).toEqual({
      home,
      written: ["prompts/main/style.md"],
      kept: shipped.filter((path) => path !== "prompts/main/style.md"),
    });
    expect(readFileSync(join(home, "config/main.yaml"), "utf8")).toBe("# mine\n");
    expect(modeOf(join(home, "run"))).toBe("700");
  });

  it("lays the schemas of this version beside the files, for editors", () => {
    const home = temporaryDirectory();
    initHome(home);
    const schema = join(home, "config/.schema/agent.json");
    const shippedSchema = readFileSync(join(packageRoot(), "docs/schema/agent.json"), "utf8");
    expect(readFileSync(schema, "utf8")).toBe(shippedSchema);
    const elsewhere = join(temporaryDirectory(), "mine");
    writeFileSync(elsewhere, "mine");
    rmSync(schema);
    symlinkSync(elsewhere, schema);
    initHome(home);
    expect(readFileSync(schema, "utf8")).toBe(shippedSchema);
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
  });

  it("does not write through a link that leads elsewhere", () => {
    const home = temporaryDirectory();
    const target = join(temporaryDirectory(), "target");
    makeHomeDirectories(home, []);
    symlinkSync(target, join(home, "config/main.yaml"));
    expect(initHome(home).kept).toEqual(["config/main.yaml"]);
    expect(existsSync(target)).toBe(false);
  });

  it("refuses a home that is a file, or below one", () => {
    const file = join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    expect(codeOf(() => initHome(file))).toBe("home.invalid");
    expect(codeOf(() => initHome(join(file, "home")))).toBe("home.invalid");
  });

  it("finds the shipped files in the package", () => {
    expect(shipped.filter((path) => !existsSync(join(packageRoot(), path)))).toEqual([]);
  });
});
