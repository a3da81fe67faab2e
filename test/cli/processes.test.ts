import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { kill, newPlace, type Place } from "./support/cli-process.ts";

type StartedData = {
  readonly pid: number;
  readonly already_running: boolean;
  readonly socket: string;
};

function startedBy({ told }: { readonly told: { readonly data?: unknown } }): StartedData {
  return told.data as StartedData;
}

function pidIn({ home }: Place): number {
  return (JSON.parse(readFileSync(join(home, "run/statehive.pid"), "utf8")) as { pid: number }).pid;
}

describe("start and stop", () => {
  it("may be said twice, tell where it listens and who answers, and leave nothing behind", async () => {
    const place = newPlace();
    const { code, out, err } = await place.run("start");
    expect(code).toBe(0);
    expect(err).toBe(`made a new home from the defaults: ${place.home}\n`);
    expect(out).toMatch(/^statehive has started \(pid \d+\)\n/);
    expect(out).toContain(`socket  ${place.home}/run/statehive.sock`);
    expect(out).toContain("set ANTHROPIC_API_KEY, then `statehive restart`");
    const again = startedBy(await place.json("start"));
    expect(again).toMatchObject({ already_running: true, pid: pidIn(place) });
    expect(statSync(join(place.home, "logs/statehive.log")).mode & 0o777).toBe(0o600);
    const stopped = await place.json("stop");
    expect(stopped).toEqual({
      code: 0,
      told: { ok: true, data: { pid: again.pid, killed: false } },
    });
    expect(existsSync(join(place.home, "run/statehive.pid"))).toBe(false);
    expect(await place.askJson("stop")).toEqual({
      code: 0,
      told: { ok: true, data: { pid: null, killed: false } },
    });
    expect((await place.ask("status")).code).toBe(3);
  });

  it("three starts at once give one service and three right answers", async () => {
    const place = newPlace();
    const answers = await Promise.all([
      place.json("start"),
      place.json("start"),
      place.json("start"),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    const started = answers.map((answer) => startedBy(answer));
    expect(new Set(started.map(({ pid }) => pid))).toEqual(new Set([pidIn(place)]));
    expect(started.filter((answer) => answer.already_running).length).toBe(2);
  });

  it("work over the files of a service that was killed, and where another process got its number", async () => {
    const place = newPlace();
    const { pid } = startedBy(await place.json("start"));
    kill(pid);
    await expect.poll(async () => (await place.ask("status")).code).toBe(3);
    expect(existsSync(join(place.home, "run/statehive.sock"))).toBe(true);
    writeFileSync(
      join(place.home, "run/statehive.pid"),
      JSON.stringify({ pid: process.pid, started: "1" }),
    );
    expect((await place.askJson("stop", "--force")).told.data).toEqual({
      pid: null,
      killed: false,
    });
    expect(startedBy(await place.json("start"))).toMatchObject({
      already_running: false,
    });
    expect(startedBy(await place.json("restart")).already_running).toBe(false);
  });

  it("tell what is wrong when the service dies while it starts", async () => {
    const place = newPlace();
    await place.ask("init");
    writeFileSync(join(place.home, "config/main.yaml"), "sesions: {}\n");
    const { code, out, err } = await place.run("start");
    expect({ code, out }).toEqual({ code: 78, out: "" });
    expect(err).toContain(`${place.home}/config/main.yaml:1:1: sesions:`);
    expect(err).toContain("statehive config validate");
    expect((await place.json("start")).told.error?.code).toBe("config.invalid");
    const validated = await place.ask("config", "validate");
    expect(validated.code).toBe(78);
    expect(validated.err).toContain(`${place.home}/config/main.yaml:1:1: sesions:`);
  });

  it("work where the home's path is too long for a socket", async () => {
    const place = newPlace(["long".repeat(20), "longer".repeat(10)]);
    const { socket } = startedBy(await place.json("start"));
    expect(socket.startsWith(place.home)).toBe(false);
    expect((await place.ask("chat", "-p", "hello")).out).toContain("built-in offline model");
    expect((await place.ask("stop")).code).toBe(0);
  });

  it("end a service that hangs only with --force", async () => {
    const place = newPlace();
    const { pid } = startedBy(await place.json("start"));
    kill(pid, "SIGSTOP");
    const quickly = ["--timeout", "200"];
    for (const command of [["status"], ["stop"], ["start"], ["chat", "-p", "x"]]) {
      const { code, err } = await place.ask(...command, ...quickly);
      expect({ command, code }).toEqual({ command, code: 4 });
      expect(err).toMatch(/^statehive: The service /);
    }
    expect((await place.askJson("stop", "--force", ...quickly)).told.data).toEqual({
      pid,
      killed: true,
    });
    expect((await place.ask("status", ...quickly)).code).toBe(3);
  });
});

describe("serve", () => {
  it("says when it is ready, refuses a second one, and stops on SIGTERM", async () => {
    const place = newPlace();
    const service = place.start("serve");
    await expect.poll(service.err, { timeout: 10_000 }).toContain("statehive is ready");
    expect(await place.ask("status", "-q")).toMatchObject({ code: 0 });
    const second = await place.run("serve");
    expect(second.code).toBe(75);
    expect(second.err).toContain("statehive: another process holds");
    service.child.kill("SIGTERM");
    const { code, out, err } = await service.ended;
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("SIGTERM: stopping; once more ends it at once");
    expect(err.trimEnd().split("\n").at(-1)).toBe("statehive has stopped");
  });

  it("is what a bare statehive does without a terminal", async () => {
    const place = newPlace();
    const service = place.start();
    await expect.poll(service.err, { timeout: 10_000 }).toContain("statehive is ready");
    service.child.kill("SIGINT");
    expect((await service.ended).code).toBe(0);
  });

  it("outlives those who read its output", async () => {
    const place = newPlace();
    const service = place.start("serve", "-v");
    await expect.poll(service.err, { timeout: 10_000 }).toContain("statehive is ready");
    service.child.stderr?.destroy();
    service.child.stdout?.destroy();
    expect((await place.ask("chat", "-p", "hello")).code).toBe(0);
    expect((await place.ask("stop")).code).toBe(0);
  });
});

describe("a process", () => {
  it("ends at once and without a word when nobody reads on", () => {
    const place = newPlace();
    const main = join(import.meta.dirname, "../../dist/cli/main.js");
    const script = `"$0" "${main}" machines show run --format json | head -1; echo "\${PIPESTATUS[0]}"`;
    const env = { ...process.env, STATEHIVE_HOME: place.home };
    const out = execFileSync("bash", ["-c", `(${script}) 2>&1`, process.execPath], {
      env,
      encoding: "utf8",
    });
    expect(out).toBe("{\n0\n");
  });

  it("prints no colour and no escape outside of a terminal", async () => {
    const place = newPlace();
    for (const args of [["--help"], ["status"], ["config", "validate"], ["machines", "list"]]) {
      const { out, err } = await place.run(...args);
      expect(`${out}${err}`).not.toContain("\u001b");
    }
  });

  it("leaves the run running on SIGINT and exits with 130", async () => {
    const place = newPlace();
    await place.run("start");
    const chat = place.start("chat", "-p", "write x to a.txt");
    await expect.poll(chat.err, { timeout: 10_000 }).toContain("statehive approvals allow");
    chat.child.kill("SIGINT");
    const { code, err } = await chat.ended;
    expect(code).toBe(130);
    expect(err).toContain("The run goes on without you.");
    expect((await place.askJson("approvals", "list")).told.data).toHaveLength(1);
  });

  it("waits for no service that accepts and says nothing", async () => {
    const place = newPlace();
    mkdirSync(join(place.home, "run"), { recursive: true });
    const server = createServer(() => undefined).listen(join(place.home, "run/statehive.sock"));
    onTestFinished(() => void server.close());
    const { code, told } = await place.askJson("actors", "tree", "--timeout", "100");
    expect({ code, error: told.error?.code }).toEqual({ code: 4, error: "service.not_answering" });
  });

  it("says in one line that a home cannot be used", async () => {
    const place = newPlace(["file", "home"]);
    writeFileSync(join(place.home, ".."), "");
    const { code, err } = await place.run("start");
    expect(code).toBe(78);
    expect(err).toMatch(
      /^statehive: .* cannot be written \(ENOTDIR\)\n {2}choose another directory/,
    );
  });
});
