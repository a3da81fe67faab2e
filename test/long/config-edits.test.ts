import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { configOf, homeWith } from "../config/homes.ts";

/** Changes the file again and again, at least 40 times, until its input ends. */
const script = `
import { setImmediate } from "node:timers/promises";
import { editConfigFile } from "./dist/config/change-config.js";
const [home, first] = process.argv.slice(1);
let isOver = false;
process.stdin.on("end", () => (isOver = true)).resume();
for (let i = 0; i < 40 || !isOver; i += 1) {
  const edits = [{ path: ["limits", "max_tool_rounds"], value: Number(first) + (i % 40) }];
  try {
    const result = editConfigFile({ home, env: {} }, "config/agents.d/main.yaml", edits);
    console.log(result.ok ? "written" : JSON.stringify(result.faults));
  } catch (error) {
    console.log(error.code);
  }
  await setImmediate();
}
`;

it("lets four processes change one file: each change is whole or refused, and nobody meets half a file", async () => {
  const home = homeWith({ "config/agents.d/main.yaml": "# mine\nid: main\nlimits: {}\n" });
  const outcomes: string[] = [];
  const editors = [100, 200, 300, 400].map((first) => {
    const args = ["--input-type=module", "-e", script, home, `${first}`];
    return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  });
  const told = editors.map(async ({ stdout }) => {
    for await (const line of createInterface({ input: stdout })) {
      outcomes.push(line);
      // Until two have met, however the machine lets them take turns.
      if (outcomes.includes("config.changed")) for (const { stdin } of editors) stdin.end();
    }
  });
  await Promise.all(told);
  expect([...new Set(outcomes)].toSorted()).toEqual(["config.changed", "written"]);
  expect(configOf(home).agents[0]?.limits.max_tool_rounds).toBeGreaterThanOrEqual(100);
  expect(readdirSync(join(home, "config/agents.d"))).toEqual(["main.yaml"]);
});
