import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { LibsqlConnection } from "../../src/adapters/libsql/libsql-connection.ts";
import { connect, type Connection } from "../../src/client/connection.ts";
import { initHome } from "../../src/config/home.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { runService } from "../../src/server/run-service.ts";
import { fakeTerminal, run } from "./support/fake-terminal.ts";

async function serviceOf(home: string) {
  const options = { home, env: {}, version: "0.1.0", writeLog: () => undefined };
  const service = await runService(options);
  const connection = await connect({ socketPath: service.socketPath });
  const stop = async () => {
    connection.close();
    await service.stop(0);
  };
  onTestFinished(stop);
  return { connection, stop };
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "statehive-backup-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  initHome(home);
  return home;
}

const openApproval = ({ call }: Connection) =>
  vi.waitFor(async () => {
    const [open] = await call("approvals.list", {});
    if (open === undefined) throw new Error("nothing is asked yet");
    return open;
  });

it("brings back an approval that was decided meanwhile, to be decided again", async () => {
  const home = newHome();
  const at = ["--home", home];
  const copy = join(home, "copy.db");
  const first = await serviceOf(home);
  await first.connection.call("chat.send", { chat: "c", text: "write hi to a.txt" });
  const { id, run_id } = await openApproval(first.connection);

  const made = await run(["backup", copy, ...at]);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toMatch(/size {7}\d+ bytes, \d+ rows\n/);
  expect(made.out).toContain("not in it  config, prompts, workspaces and keys");
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(await run(["backup", copy, ...at])).toMatchObject({ code: 1, out: "" });
  expect(readdirSync(home).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);

  await run(["approvals", "deny", id, ...at]);
  expect(await run(["restore", copy, "--yes", ...at])).toEqual({
    code: 1,
    out: "",
    err: `statehive: A service runs for this home.\n  \`statehive stop --home ${home}\` stops it\n`,
  });
  await first.stop();
  const told = await run(["restore", copy, "--yes", ...at, "--json"]);
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(told.out)).toMatchObject({
    data: { file: join(home, "data/statehive.db"), kept: expect.stringContaining(".2026-03-01T") },
  });

  const second = await serviceOf(home);
  expect(await openApproval(second.connection)).toMatchObject({ id, state: "pending" });
  expect(await run(["approvals", "allow", id, ...at])).toMatchObject({ code: 0 });
  await vi.waitFor(async () =>
    expect(await second.connection.call("runs.show", { id: run_id })).toMatchObject({
      state: "done",
    }),
  );
  expect(readFileSync(join(home, "workspace/main/a.txt"), "utf8")).toBe("hi");
  expect(await second.connection.call("audit.verify", {})).toMatchObject({ ok: true });
});

it("copies and restores where no service ever ran, and asks before it replaces", async () => {
  const [from, to] = [newHome(), newHome()];
  await (await serviceOf(from)).stop();
  const copy = join(from, "copy.db");
  const made = await run(["backup", copy, "--home", from]);
  expect(made).toMatchObject({
    code: 0,
    err: "the service is not running; copied from the file itself\n",
  });
  const at = ["--home", to];
  expect(await run(["restore", copy, ...at])).toMatchObject({ code: 2, out: "" });
  const terminal = fakeTerminal({ isTTY: true, input: "n\n" });
  expect(await runCli(["restore", copy, ...at], terminal)).toBe(2);
  expect(terminal.out()).toContain("The present one is kept. [y/N] ");
  expect(readdirSync(join(to, "data"))).toEqual([]);
  const yes = fakeTerminal({ isTTY: true, input: "y\n" });
  expect(await runCli(["restore", copy, ...at], yes)).toBe(0);
  expect(readdirSync(join(to, "data"))).toEqual(["statehive.db", "statehive.db.owner"]);
  expect(statSync(join(to, "data/statehive.db")).mode & 0o777).toBe(0o600);
});

it("refuses what is missing, damaged, foreign, newer or tampered with, and changes nothing", async () => {
  const home = newHome();
  const { connection, stop } = await serviceOf(home);
  await connection.call("chat.send", { chat: "c", text: "list my files" });
  await vi.waitFor(async () =>
    expect((await connection.call("audit.query", {})).length).toBeGreaterThan(0),
  );
  await stop();
  const file = join(home, "data/statehive.db");
  const before = readFileSync(file);
  const broken = (change: (path: string) => void) => {
    const path = join(home, "broken.db");
    copyFileSync(file, path);
    change(path);
    return path;
  };
  const sql = (statement: string) => (path: string) => {
    const database = new LibsqlConnection(path, 0);
    database.exec(statement);
    database.close();
  };
  const cases: [string, string, number][] = [
    [join(home, "nowhere.db"), "file.not_found", 6],
    [broken((path) => writeFileSync(path, "text".repeat(3000))), "store.corrupt", 1],
  ];
  for (const [path, code, exit] of cases) await refuses(path, code, exit);
  await refuses(
    broken((path) => writeFileSync(path, "")),
    "store.corrupt",
    1,
  );
  await refuses(broken(sql("PRAGMA user_version = 99")), "store.newer", 1);
  await refuses(broken(sql("DROP TABLE runs")), "store.corrupt", 1);
  await refuses(broken(sql("UPDATE audit SET tool = 'other' WHERE n = 1")), "audit.broken", 1);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(join(home, "data")).filter((name) => name.includes("restoring"))).toEqual([]);

  async function refuses(path: string, code: string, exit: number) {
    const told = await run(["restore", path, "--yes", "--home", home, "--json"]);
    expect({ code: told.code, told: JSON.parse(told.out) }).toMatchObject({
      code: exit,
      told: { ok: false, error: { code } },
    });
  }
});
