import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { connect } from "../../src/client/connection.ts";
import { kill, newPlace, type Place } from "../cli/support/cli-process.ts";
import { openTmux, prompt, type Tmux } from "../support/tmux.ts";

/** The built interface on a real terminal, over a real service that is killed, restarted and left. */

const main = join(import.meta.dirname, "../../dist/cli/main.js");
const asItWas = { alternate: false, cursor: true, mouse: false };

async function attached({ columns = 120, rows = 40 } = {}) {
  const place = newPlace();
  expect((await place.run("start")).code).toBe(0);
  const root = dirname(place.home);
  const env = { STATEHIVE_HOME: place.home, HOME: root, XDG_RUNTIME_DIR: root };
  const tmux = openTmux({ columns, rows, cwd: root, env });
  await tmux.expectText(prompt);
  const pidFile = join(root, "tui.pid");
  tmux.run(
    `clear; (echo $BASHPID > ${pidFile}; exec ${process.execPath} ${main} tui); echo "ended with $?"`,
  );
  await tmux.expectText("● attached");
  expect(tmux.modes()).toMatchObject({ alternate: true, mouse: false });
  return { place, tmux, tuiPid: () => Number(readFileSync(pidFile, "utf8")) };
}

function servicePid({ home }: Place): number {
  return (JSON.parse(readFileSync(join(home, "run/statehive.pid"), "utf8")) as { pid: number }).pid;
}

async function expectUsable(tmux: Tmux): Promise<void> {
  expect(tmux.modes()).toEqual(asItWas);
  tmux.run("echo us''able; stty -a | grep -o ' echo '");
  await tmux.expectText(/^usable\n echo$/m);
}

async function expectRunning(place: Place): Promise<void> {
  expect((await place.ask("status")).code).toBe(0);
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("the interface on a real terminal", () => {
  it("shows what waits for a person, takes their word for it, and leaves the service running", async () => {
    const { place, tmux } = await attached();
    const chat = place.start("chat", "-p", "write buy milk to todo.txt");
    await tmux.expectText("? 1 waits for you");
    tmux.keys("/");
    tmux.type("state:pending");
    await tmux.expectText("/ state:pending");
    await tmux.waitFor(() => expect(tmux.text()).toMatch(/actors ─+ \d of \d/));
    tmux.keys("Enter");
    await tmux.expectText("filter: state:pending");
    tmux.keys("Escape");
    await tmux.waitFor(() => expect(tmux.text()).not.toContain("filter:"));
    tmux.keys("F4");
    await tmux.expectText("buy milk");
    tmux.paste("y\nq\ny");
    await tmux.expectText("pasted text is taken only where text is typed");
    expect(existsSync(join(place.home, "workspace/main/todo.txt"))).toBe(false);
    await vi.waitFor(
      () => {
        tmux.keys("y");
        expect(readFileSync(join(place.home, "workspace/main/todo.txt"), "utf8")).toBe("buy milk");
      },
      { interval: 700 },
    );
    expect((await chat.ended).out).toContain("I wrote todo.txt");
    tmux.keys("F8");
    await tmux.expectText(/decision +approved +file_write/);
    tmux.keys("v");
    await tmux.expectText("the chain of 2 rows is whole");
    tmux.keys("q");
    await tmux.expectText("ended with 0");
    await expectUsable(tmux);
    await expectRunning(place);
  });

  it("follows its window from 200x60 down to 60x15 and below, and back", async () => {
    const { tmux } = await attached({ columns: 200, rows: 60 });
    for (const [columns, rows] of [
      [60, 15],
      [80, 24],
      [200, 60],
    ] as const) {
      tmux.resize(columns, rows);
      await tmux.waitFor(() => {
        const lines = tmux.lines();
        expect(lines).toHaveLength(rows);
        expect(lines[2]).toMatch(/^┌─ actors .*┐$/u);
        expect(lines[2]).toHaveLength(columns);
      });
    }
    tmux.resize(50, 10);
    await tmux.expectText("enlarge the window");
    tmux.keys("q");
    await tmux.expectText("ended with 0");
    await expectUsable(tmux);
  });

  it("gives the terminal to the shell on Ctrl-Z, and takes it again", async () => {
    const { place, tmux } = await attached();
    tmux.keys("C-z");
    await tmux.expectText("Stopped");
    await expectUsable(tmux);
    await expectRunning(place);
    tmux.run("fg");
    await tmux.expectText("● attached");
    expect(tmux.modes().alternate).toBe(true);
    tmux.keys("C-c");
    await tmux.waitFor(() => expect(tmux.modes()).toEqual(asItWas));
    await expectUsable(tmux);
  });

  it("keeps its rows and says so when the service is killed, and attaches itself to the next one", async () => {
    const { place, tmux } = await attached();
    await place.run("chat", "-p", "hello");
    await tmux.expectText(/session .* idle/);
    kill(servicePid(place));
    await tmux.expectText(/detached for \d/);
    expect(tmux.text()).toMatch(/session .* idle/);
    expect((await place.run("start")).code).toBe(0);
    await tmux.expectText("● attached");
    await place.run("chat", "-p", "hello", "-s", "other");
    await tmux.expectText(/session other/);
    tmux.keys("q");
    await tmux.expectText("ended with 0");
    await expectUsable(tmux);
  });

  it("ends with its terminal, and the service goes on", async () => {
    const { place, tmux, tuiPid } = await attached();
    const pid = tuiPid();
    expect(isAlive(pid)).toBe(true);
    tmux.kill();
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
    await expectRunning(place);
  });

  it("gives the terminal back when it is asked to end", async () => {
    const { place, tmux, tuiPid } = await attached();
    kill(tuiPid(), "SIGTERM");
    await tmux.expectText("ended with 143");
    await expectUsable(tmux);
    await expectRunning(place);
  });

  it("shows the present after its terminal took nothing for a while; the service did not wait", async () => {
    const { place, tmux } = await attached();
    const terminal = tmux.pid();
    const service = await connect({ socketPath: join(place.home, "run/statehive.sock") });
    kill(terminal, "SIGSTOP");
    let slowest = 0;
    try {
      for (let turn = 0; turn < 300; turn += 1) {
        const before = performance.now();
        await service.call("chat.send", {
          chat: `c${turn}`,
          text: "hello",
          session: `s${turn % 5}`,
        });
        slowest = Math.max(slowest, performance.now() - before);
      }
      await vi.waitFor(
        async () => expect(await service.call("status", {})).toMatchObject({ runs: 0, queued: 0 }),
        { timeout: 300_000, interval: 200 },
      );
      await service.call("chat.send", { chat: "last", text: "hello", session: "last" });
    } finally {
      kill(terminal, "SIGCONT");
      service.close();
    }
    expect(slowest).toBeLessThan(20_000);
    await tmux.expectText(/session last/);
    tmux.keys("q");
    await tmux.expectText("ended with 0");
    await expectUsable(tmux);
  });
});
