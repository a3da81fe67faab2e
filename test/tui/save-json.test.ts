import { mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saveJson } from "../../src/tui/poke/save-json.ts";

let folder = "";
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "statehive-save-"))));
afterEach(() => rm(folder, { recursive: true }));

it("writes a new file that only its owner can read", async () => {
  const { written, fault } = await saveJson(folder, "run-r7-step-41", { state: "done" });
  expect(fault).toBeUndefined();
  expect(written).toBe(join(folder, "statehive-run-r7-step-41.json"));
  expect(await readFile(written, "utf8")).toBe('{\n  "state": "done"\n}\n');
  expect((await stat(written)).mode & 0o777).toBe(0o600);
});

it("touches no file that is there, nor what a link leads to", async () => {
  const kept = await saveJson(folder, "a", 1);
  await symlink(join(folder, "elsewhere"), join(folder, "statehive-b.json"));
  expect((await saveJson(folder, "a", 2)).fault).toBe("it is there already");
  expect((await saveJson(folder, "b", 2)).fault).toBe("it is there already");
  expect(await readFile(kept.written, "utf8")).toBe("1\n");
  expect(await readdir(folder)).toEqual(["statehive-a.json", "statehive-b.json"]);
});

it("leaves the folder for no name, and says why it cannot write", async () => {
  const { written } = await saveJson(folder, "../../etc/passwd\u0000\n", 1);
  expect(written).toBe(join(folder, "statehive-_etc_passwd_.json"));
  expect((await saveJson(join(folder, "none"), "a", 1)).fault).toBe("ENOENT");
});
