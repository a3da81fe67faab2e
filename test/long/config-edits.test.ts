import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { configOf, homeWith } from "../config/homes.ts";

const script = `
import { editConfigFile } from "./dist/config/change-config.js";
const [home, first] = process.argv.slice(1);
const outcomes = [];
for (let i = 0; i < 40; i += 1) {
  const edits = [{ path: ["limits", "max_tool_rounds"], value: Number(first) + i }];
  try {
    const result = editConfigFile({ home, env: {} }, "config/agents.d/main.yaml", edits);
    outcomes.push(result.ok ? "written" : JSON.stringify(result.faults));
  } catch (error) {
    outcomes.push(error.code);
  }
}
console.log(JSON.stringify([...new Set(outcomes)].sort()));
`;

it("lets four processes change one file: each change is whole or refused, and nobody meets half a file", async () => {
  const home = homeWith({ "config/agents.d/main.yaml": "# mine\nid: main\nlimits: {}\n" });
  const told = await Promise.all(
    [100, 200, 300, 400].map((first) => {
      const args = ["--input-type=module", "-e", script, home, `${first}`];
      return text(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }).stdout);
    }),
  );
  const outcomes = told.flatMap((line) => JSON.parse(line) as string[]);
  expect([...new Set(outcomes)].toSorted()).toEqual(["config.changed", "written"]);
  expect(configOf(home).agents[0]?.limits.max_tool_rounds).toBeGreaterThanOrEqual(100);
  expect(readdirSync(join(home, "config/agents.d"))).toEqual(["main.yaml"]);
});
