import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { homeWith } from "../config/homes.ts";
import { fakeService } from "./support/fake-service.ts";
import { run } from "./support/fake-terminal.ts";
import { sampleStatus } from "./support/samples.ts";

/** A user whose `systemctl` writes down what it was told. */
function user(systemctl: string | null) {
  const root = mkdtempSync(join(tmpdir(), "statehive-unit-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [bin, calls] = [join(root, "bin"), join(root, "calls")];
  mkdirSync(bin);
  if (systemctl !== null) {
    const text = `#!/bin/sh\n[ "$2" = show-environment ] || echo "$@" >> '${calls}'\n${systemctl}\n`;
    writeFileSync(join(bin, "systemctl"), text);
    chmodSync(join(bin, "systemctl"), 0o755);
  }
  const env = { PATH: `${bin}:/bin`, XDG_CONFIG_HOME: join(root, "config"), USER: "ada" };
  const folder = join(root, "config/systemd/user");
  return {
    folder,
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
    say: (home: string, ...args: string[]) =>
      run(["service", ...args, "--home", home], { env, home: root }),
    /** The one unit that is there. */
    unit: () => join(folder, readdirSync(folder).find((name) => name.endsWith(".service")) ?? ""),
  };
}

const works = 'test "$2" != is-active';

it("writes the unit that it prints, has systemd enable it, and takes it back again", async () => {
  const [home, { say, unit, calls, folder }] = [homeWith(), user(works)];
  const { code, out, err } = await say(home, "install");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("loginctl enable-linger ada");
  expect(out).toContain(`Keys go into ${home}/service.env`);
  expect(readFileSync(unit(), "utf8")).toBe((await say(home, "print")).out);
  const name = unit().slice(folder.length + 1);
  expect(calls().slice(1)).toEqual(["--user daemon-reload", `--user enable --now ${name}`]);
  expect((await say(home, "install")).out).toContain("was as it should be");
  expect((await say(home, "uninstall")).out).toBe(`${join(folder, name)} was removed.\n`);
  expect(calls().slice(-2)).toEqual([`--user disable --now ${name}`, "--user daemon-reload"]);
  expect(existsSync(join(folder, name))).toBe(false);
  expect((await say(home, "uninstall")).out).toBe(`There was no ${join(folder, name)}.\n`);
});

it.each([
  ["there is no systemd", null],
  ["systemd cannot be reached", "echo Failed to connect to bus >&2; exit 1"],
])("says what to type where %s", async (_where, systemctl) => {
  const { say, unit } = user(systemctl);
  const { code, out } = await say(homeWith(), "install");
  expect(code).toBe(0);
  expect(existsSync(unit())).toBe(true);
  expect(out).toContain("systemd cannot be reached from here. Type, in a session of this user:");
  expect(out).toMatch(/systemctl --user enable --now statehive-[0-9a-f]{8}\.service/);
});

it("starts no second service beside one that was started by hand", async () => {
  const { home } = await fakeService({ status: sampleStatus });
  const { say, calls } = user(works);
  const { out } = await say(home, "install");
  expect(calls().at(-1)).toMatch(/^--user enable statehive-/);
  expect(out).toContain(`  statehive stop\n  systemctl --user start statehive-`);
});

it("leaves a unit alone that somebody else wrote", async () => {
  const [home, { say, unit }] = [homeWith(), user(works)];
  await say(home, "install");
  writeFileSync(unit(), "[Service]\nExecStart=/bin/true\n");
  for (const command of ["install", "uninstall"]) {
    const { code, err } = await say(home, command);
    expect(code).toBe(1);
    expect(err).toContain("was not written by statehive and is left alone");
  }
  expect(readFileSync(unit(), "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
});

it("tells what systemd refused", async () => {
  const { say } = user('test "$2" = show-environment || { echo no such verb >&2; exit 1; }');
  const { code, err } = await say(homeWith(), "install");
  expect(code).toBe(1);
  expect(err).toContain("`systemctl --user daemon-reload` failed: no such verb");
});

it("refuses a home that no unit can name, and holds no secret", async () => {
  const { say } = user(works);
  expect((await say("/tmp/a\nb", "print")).code).toBe(78);
  const { out } = await say("/tmp/a b", "print", "--json");
  const { data } = JSON.parse(out) as { data: { text: string; file: string } };
  expect(data.text).toContain(`"--home" "/tmp/a b"\n`);
  expect(data.text).not.toMatch(/^Environment=/m);
  expect(dirname(data.file)).toMatch(/\/config\/systemd\/user$/);
});
