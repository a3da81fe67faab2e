import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newPlace } from "../cli/support/cli-process.ts";

/** What systemd itself says of a unit, and what it has understood. */
function verify(unit: string): { readonly complaints: string; readonly understood: string } {
  const folder = mkdtempSync(join(tmpdir(), "statehive-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "statehive.service");
  writeFileSync(file, unit);
  mkdirSync(join(folder, "run"), { mode: 0o700 });
  const analyze = (level: string) =>
    spawnSync("systemd-analyze", ["verify", "--user", "--man=no", file], {
      encoding: "utf8",
      env: { ...process.env, XDG_RUNTIME_DIR: join(folder, "run"), SYSTEMD_LOG_LEVEL: level },
    });
  const { status, stderr } = analyze("warning");
  return { complaints: `${status} ${stderr}`, understood: analyze("debug").stdout };
}

it.each([
  ["a plain home", "home"],
  ["a home with what systemd reads as its own", `a b %h $HOME "q" 'r' \\x; --`],
])("prints a unit for %s that systemd takes as it was meant", async (_what, folder) => {
  const place = newPlace([folder]);
  const { out, code } = await place.run("service", "print");
  expect(code).toBe(0);
  const { complaints, understood } = verify(out);
  expect(complaints).toBe("0 ");
  const home = place.home.replaceAll(/[\\"$`]/g, "\\$&").replaceAll("\\$", "\\$\\$");
  const quoted = /[^\w/.-]/.test(place.home) ? `"${home}"` : home;
  expect(understood).toContain(`serve --home ${quoted}\n`);
  expect(understood).toContain(`EnvironmentFile: -${place.home}/service.env\n`);
  expect(understood).toContain("KillMode: mixed\n");
});

it("would be told of a mistake in the unit", async () => {
  const { out } = await newPlace().run("service", "print");
  expect(verify(out.replace("Type=exec", "Type=exact")).complaints).toContain("exact");
  expect(verify(out.replace("KillMode=mixed", "KilMode=mixed")).complaints).toContain("KilMode");
});
