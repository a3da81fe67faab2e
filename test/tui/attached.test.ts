import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { connect } from "../../src/client/connection.ts";
import { initHome } from "../../src/config/home.ts";
import { runService } from "../../src/server/run-service.ts";
import { runTui } from "../../src/tui/run-tui.ts";
import { openHeadlessScreen } from "../support/headless-screen.ts";

/** The whole interface in a terminal, over a socket, on a service: nothing here stands for something else. */

const keys = { f4: "\u001bOS", f7: "\u001b[18~", enter: "\r", leave: "\u0003" };

async function attached() {
  const home = mkdtempSync(join(tmpdir(), "statehive-tui-"));
  initHome(home);
  const start = () => runService({ home, env: {}, version: "test", writeLog: () => {} });
  let service = await start();
  const { socketPath } = service;
  const open = () => connect({ socketPath, client: "tui" });
  const { screen, terminal } = openHeadlessScreen({ columns: 100, rows: 30 });
  let bells = 0;
  terminal.emulator.onBell(() => void (bells += 1));
  const connection = await open();
  const left = runTui({
    connection,
    open,
    framesPerSecond: 20,
    bells: true,
    showOn: () => screen,
  });
  onTestFinished(async () => {
    terminal.keys(keys.leave);
    await left;
    await service.stop(0);
    rmSync(home, { recursive: true, force: true });
  });
  const shows = async () => (await terminal.lines()).join("\n");
  const waits = { interval: 40 };
  return {
    home,
    keys: terminal.keys,
    bells: () => bells,
    shows,
    sees: (text: string | RegExp) =>
      vi.waitFor(async () => expect(await shows()).toMatch(text), waits),
    /** Presses it until it counts: not before the question could be read. */
    async answers(key: string, until: string) {
      await vi.waitFor(
        async () => {
          if (!(await shows()).includes(until)) terminal.keys(key);
          expect(await shows()).toContain(until);
        },
        { ...waits, interval: 600 },
      );
    },
    stop: () => service.stop(0),
    async restart() {
      service = await start();
    },
  };
}

it("takes a message, shows what it asks for, lets a person allow it, and shows the reply", async () => {
  const tui = await attached();
  tui.keys(keys.f7);
  await tui.sees("chat with 🦀 Main in cli");
  tui.keys("write buy milk to todo.txt");
  tui.keys(keys.enter);
  await tui.sees(/1 waits for you \(F4\)/);
  expect(tui.bells()).toBe(1);
  tui.keys(keys.f4);
  await tui.sees(/Approval a\d+: may main do this\?[\s\S]*content +│ buy milk/);
  await tui.answers("y", "nothing waits for you");
  tui.keys(keys.f7);
  await tui.sees(/✓ done[\s\S]*approved, by tui[\s\S]*I wrote todo\.txt\.[\s\S]*· done in/);
  expect(readFileSync(join(tui.home, "workspace/main/todo.txt"), "utf8")).toBe("buy milk");
});

it("goes on with what it asked when the service is started again", async () => {
  const tui = await attached();
  tui.keys(keys.f7);
  await tui.sees("chat with 🦀 Main in cli");
  tui.keys("write feed cat to cat.txt");
  tui.keys(keys.enter);
  await tui.sees(/\? a\d+ wants to/);
  await tui.stop();
  await tui.sees("the service is away");
  tui.keys("and thanks");
  tui.keys(keys.enter);
  await tui.sees("your text is kept");
  await tui.restart();
  await tui.sees(/● attached[\s\S]*the service is back/);
  tui.keys(keys.f4);
  await tui.sees(/content +│ feed cat/);
  await tui.answers("y", "nothing waits for you");
  tui.keys(keys.f7);
  await tui.sees(/I wrote cat\.txt\.[\s\S]*› and thanks/);
  expect((await tui.shows()).match(/I wrote cat\.txt/g)).toHaveLength(1);
});
