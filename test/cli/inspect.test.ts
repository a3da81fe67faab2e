import { expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { Results } from "../../src/schema/socket/protocol.ts";
import { fakeService } from "./support/fake-service.ts";
import { fakeTerminal, run } from "./support/fake-terminal.ts";

async function inspecting(...args: readonly string[]) {
  const service = await fakeService({ "actors.inspect": { actors: [] } });
  const terminal = fakeTerminal({ env: { STATEHIVE_HOME: service.home } });
  const ended = runCli(["inspect", ...args], terminal);
  await vi.waitFor(() => expect(terminal.out()).not.toBe(""));
  const end = () => {
    terminal.signal("SIGINT");
    return ended;
  };
  return { service, terminal, end };
}

it("prints where the page is and what it does, until Ctrl-C", async () => {
  const { service, terminal, end } = await inspecting();
  const [, url = ""] = /^The inspector shows all actors:\n {2}(\S+)\n$/.exec(terminal.out()) ?? [];
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
  expect(terminal.err()).toMatch("stately.ai gets nothing, unless you press");
  expect((await fetch(new URL("/", url))).status).toBe(200);
  expect(service.requests).toEqual([]);
  expect(await end()).toBe(130);
  await expect(fetch(new URL("/", url))).rejects.toThrow("fetch failed");
});

it("offers nothing foreign with --offline, and another page with --ui", async () => {
  const offline = await inspecting("--offline", "--json");
  expect(JSON.parse(offline.terminal.out())).toMatchObject({
    type: "inspector.ready",
    address: "",
    hosted: null,
  });
  expect(offline.terminal.err()).toMatch("Nothing is offered to the Stately Inspector.");
  await offline.end();
  const own = await inspecting("--ui", "http://127.0.0.1:9/x", "--json");
  expect(JSON.parse(own.terminal.out())).toMatchObject({ hosted: "http://127.0.0.1:9/x" });
  await own.end();
});

it.each([
  [["--ui", "http://example.com/"], "an https URL"],
  [["--ui", "javascript:alert(1)"], "an https URL"],
  [["--port", "70000"], "a whole number from 0 to 65535"],
])("refuses %j", async (args, why) => {
  const { code, err } = await run(["inspect", ...args], { env: { STATEHIVE_HOME: "/nowhere" } });
  expect(code).toBe(2);
  expect(err).toMatch(why);
});

it("exits with 3 and the next step where no service runs", async () => {
  const { code, err } = await run(["inspect"], { env: { STATEHIVE_HOME: "/nowhere" } });
  expect(code).toBe(3);
  expect(err).toMatch("`statehive start` starts one");
});

it("exits with 1 for an actor that has ended", async () => {
  const ended = { status: "done" } as unknown as Results["actor.get"];
  const service = await fakeService({ "actor.get": ended });
  const { code, err } = await run(["inspect", "session/k"], {
    env: { STATEHIVE_HOME: service.home },
  });
  expect([code, err]).toEqual([1, expect.stringContaining("session/k has ended: it is done.")]);
});
