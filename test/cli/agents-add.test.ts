import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configOf, homeWith, temporaryDirectory } from "../config/homes.ts";
import { run } from "./support/fake-terminal.ts";

it("makes an agent that works in a folder of one's own", async () => {
  const home = homeWith();
  const folder = temporaryDirectory();
  const { code, out } = await run(["agents", "add", "ops", "--workspace", folder, "--home", home]);
  expect(code).toBe(0);
  expect(out).toContain(`It works in ${folder}.\n`);
  const ops = configOf(home).agents.find(({ id }) => id === "ops");
  expect(ops?.workspace).toBe(folder);
});

it("makes none for a folder that is not there", async () => {
  const home = homeWith();
  const folder = join(home, "nowhere");
  const { code, err } = await run(["agents", "add", "ops", "--workspace", folder, "--home", home]);
  expect(code).toBe(78);
  expect(err).toContain(`workspace: ${folder} is no directory`);
  expect(existsSync(join(home, "config/agents.d/ops.yaml"))).toBe(false);
});
