import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changeConfig, editConfigFile } from "../../src/config/change-config.ts";
import { AgentError } from "../../src/schema/errors.ts";
import { configOf, homeWith, temporaryDirectory } from "./homes.ts";

const agent = "config/agents.d/main.yaml";
const disable = [{ path: ["enabled"], value: false }];

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof AgentError) return `${thrown.code}: ${thrown.message}`;
    throw thrown;
  }
  return "not refused";
}

function leftovers(home: string): string[] {
  return readdirSync(join(home, "config/agents.d")).filter((name) => name.startsWith("."));
}

describe("a change of the configuration", () => {
  it("is written when the whole is valid with it, and keeps the file's mode", () => {
    const home = homeWith({ [agent]: "# mine\nid: main\n" });
    chmodSync(join(home, agent), 0o640);
    const result = editConfigFile({ home, env: {} }, agent, disable);
    expect(result.ok && result.config.agents[0]?.enabled).toBe(false);
    expect(readFileSync(join(home, agent), "utf8")).toBe("# mine\nid: main\nenabled: false\n");
    expect(statSync(join(home, agent)).mode & 0o777).toBe(0o640);
    expect(leftovers(home)).toEqual([]);
  });

  it("is not written when anything would be at fault, and says where in the new text", () => {
    const home = homeWith({ "config/routing.yaml": "default_agent: main\n" });
    const result = editConfigFile({ home, env: {} }, agent, disable);
    expect(result.ok ? [] : result.faults).toMatchObject([
      { file: join(home, "config/routing.yaml"), line: 1, message: "the agent main is disabled" },
    ]);
    const wrong = editConfigFile({ home, env: {} }, agent, [{ path: ["limits", "x"], value: 1 }]);
    expect(wrong.ok ? [] : wrong.faults).toMatchObject([{ line: 3, path: "limits.x" }]);
    expect(readFileSync(join(home, agent), "utf8")).toBe("id: main\n");
  });

  it("adds files together, or none of them", () => {
    const home = homeWith();
    const prompt = { path: "prompts/ops/system.md", text: "You watch.\n", before: null };
    const ops = { path: "config/agents.d/ops.yaml", text: "id: ops\n", before: null };
    const alone = changeConfig({ home, env: {} }, [ops]);
    expect(alone).toMatchObject({ ok: false });
    expect(existsSync(join(home, ops.path))).toBe(false);
    expect(changeConfig({ home, env: {} }, [prompt, ops])).toMatchObject({ ok: true });
    expect(configOf(home).agents.map(({ id }) => id)).toEqual(["main", "ops"]);
    expect(statSync(join(home, ops.path)).mode & 0o777).toBe(0o600);
    expect(refusalOf(() => changeConfig({ home, env: {} }, [ops]))).toBe(
      `config.changed: ${home}/${ops.path} is there already; nothing was written`,
    );
  });

  it("is refused when the file is no longer what it was made of", () => {
    const home = homeWith();
    const change = { path: agent, text: "id: main\nenabled: false\n", before: "id: main\n" };
    writeFileSync(join(home, agent), "id: main\nidentity: { name: Me }\n");
    expect(refusalOf(() => changeConfig({ home, env: {} }, [change]))).toBe(
      `config.changed: ${home}/${agent} was changed meanwhile; nothing was written`,
    );
    expect(configOf(home).agents[0]?.identity.name).toBe("Me");
    expect(leftovers(home)).toEqual([]);
  });

  it("waits for nobody: a second one at the same time is refused, an abandoned one is taken over", () => {
    const home = homeWith();
    const other = join(home, "config/agents.d/.main.yaml.change");
    writeFileSync(other, "half");
    const edit = () => editConfigFile({ home, env: {} }, agent, disable);
    expect(refusalOf(edit)).toContain("is being changed by somebody else");
    expect(readFileSync(other, "utf8")).toBe("half");
    utimesSync(other, 0, 0);
    expect(edit()).toMatchObject({ ok: true });
    expect(leftovers(home)).toEqual([]);
  });

  it("goes to the file that a link leads to", () => {
    const home = homeWith();
    const real = join(temporaryDirectory(), "main.yaml");
    renameSync(join(home, agent), real);
    symlinkSync(real, join(home, agent));
    expect(editConfigFile({ home, env: {} }, agent, disable)).toMatchObject({ ok: true });
    expect(readFileSync(real, "utf8")).toBe("id: main\nenabled: false\n");
  });

  it("reaches no file but those of the configuration", () => {
    const home = homeWith();
    for (const path of ["data/statehive.db", "config/../run/x", "../x", "/outside/x", "config"]) {
      const change = { path, text: "", before: null };
      expect(refusalOf(() => changeConfig({ home, env: {} }, [change]))).toContain("file.outside");
    }
  });

  it("of a file that is not there says so", () => {
    const home = homeWith();
    const edit = () => editConfigFile({ home, env: {} }, "config/agents.d/x.yaml", disable);
    expect(refusalOf(edit)).toContain("x.yaml: there is no such file");
  });
});
