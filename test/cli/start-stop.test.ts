import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
    expect(startedBy(await place.json("restart")).already_running).toBe(false);
  });

  it("tell what is wrong with the configuration", async () => {
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

  it("keep a running service when the configuration has become invalid", async () => {
    const place = newPlace();
    await place.run("start");
    writeFileSync(join(place.home, "config/main.yaml"), "sesions: {}\n");
    expect((await place.ask("restart")).code).toBe(78);
    expect((await place.ask("status")).code).toBe(0);
  });

  it("show the end of the log when the service dies while it starts", async () => {
    const place = newPlace();
    await place.ask("init");
    writeFileSync(join(place.home, "data/statehive.db"), "no database".repeat(1000), {
      mode: 0o600,
    });
    const { code, told } = await place.json("start");
    expect(code).toBe(1);
    expect(told.error?.code).toBe("service.start_failed");
    expect(told.error?.message).toMatch(
      /^The service did not start\. The end of its log:\nstatehive: /,
    );
    expect(told.error?.hint).toBe(`the whole log: ${place.home}/logs/statehive.log`);
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
