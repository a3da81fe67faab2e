import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { SidecarEvent } from "../../src/schema/shown/news.ts";
import { fakeService } from "./support/fake-service.ts";
import { fakeTerminal, run } from "./support/fake-terminal.ts";

function homeWithLog(text: string) {
  const home = mkdtempSync(join(tmpdir(), "statehive-logs-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "logs"));
  const path = join(home, "logs/statehive.log");
  writeFileSync(path, text);
  return { path, env: { STATEHIVE_HOME: home } };
}

const line = (message: string, more = "") =>
  `{"level":"info","time":"2026-03-01T11:59:18.042Z",${more}"message":${JSON.stringify(message)}}\n`;

describe("logs", () => {
  it("prints what is asked for without a service, cleaned for a terminal", async () => {
    const mine = line("a\u001b[2J\nb", '"trace_id":"t1","tool":"x\\u202ey","none":null,');
    const { env } = homeWithLog(line("other") + mine);
    expect(await run(["logs", "--trace", "t1"], { env })).toEqual({
      code: 0,
      out: "2026-03-01 11:59:18.042 info   a\\x1b[2J\\nb  trace_id=t1  tool=x\\u{202e}y\n",
      err: "",
    });
    const { out } = await run(["logs", "--limit", "1", "--json"], { env });
    expect(JSON.parse(out)).toMatchObject({ ok: true, data: [{ trace_id: "t1" }] });
  });

  it("says that there is nothing, and which level it does not know", async () => {
    const { env, path } = homeWithLog("");
    expect((await run(["logs"], { env })).out).toBe(`The log ${path} has nothing of that.\n`);
    expect(await run(["logs", "--level", "loud"], { env })).toMatchObject({ code: 2, out: "" });
    expect(await run(["logs", "--after", "soon"], { env })).toMatchObject({ code: 2, out: "" });
  });

  it("follows, a line a record, until Ctrl-C", async () => {
    const { env, path } = homeWithLog(line("one"));
    const terminal = fakeTerminal({ env });
    const ended = runCli(["logs", "-f", "--json"], terminal);
    await vi.waitFor(() => expect(terminal.out()).toContain("one"));
    appendFileSync(path, line("two"));
    await vi.waitFor(() => expect(terminal.out()).toContain("two"));
    terminal.signal("SIGINT");
    expect(await ended).toBe(130);
    const lines = terminal.out().trimEnd().split("\n");
    expect(lines.map((one) => (JSON.parse(one) as { message: string }).message)).toEqual([
      "one",
      "two",
    ]);
  });
});

const executed: SidecarEvent = {
  type: "ToolExecuted",
  seq: 7,
  at: "2026-03-01T11:59:18.042Z",
  channel_type: "local",
  connector_id: "local",
  conversation_scope: "cli",
  user_scope: "owner",
  agent_id: "main",
  session_id: "s3",
  trace_id: "t1",
  task_id: "t4",
  run_id: "r4",
  tool_call_id: "c1",
  tool: "file\u001bread",
  status: "done",
  duration_ms: 12,
};

describe("events tail", () => {
  it("prints the newest, then what follows, and what was left out", async () => {
    const service = await fakeService({ "events.subscribe": { events: [executed] } });
    const terminal = fakeTerminal({ env: { STATEHIVE_HOME: service.home } });
    const ended = runCli(["events", "tail", "--type", "ToolExecuted", "--limit", "5"], terminal);
    const told = "11:59:18.042  ToolExecuted  r4  file\\x1bread done in 12 ms  (main, trace t1)\n";
    await vi.waitFor(() => expect(terminal.out()).toBe(told));
    expect(service.requests).toEqual([
      { method: "events.subscribe", params: { type: "ToolExecuted", limit: 5, follow: true } },
    ]);
    service.notify("events.delta", { events: [executed], dropped: 3 });
    await vi.waitFor(() => expect(terminal.out()).toBe(told + told));
    expect(terminal.err()).toBe("(too slow: 3 events were left out)\n");
    terminal.signal("SIGINT");
    expect(await ended).toBe(130);
  });

  it("is a line of JSON each, ends with 3 when the service goes away or is not there", async () => {
    const service = await fakeService({ "events.subscribe": { events: [executed] } });
    const terminal = fakeTerminal({ env: { STATEHIVE_HOME: service.home } });
    const ended = runCli(["events", "tail", "--json"], terminal);
    await vi.waitFor(() => expect(terminal.out()).not.toBe(""));
    service.notify("events.delta", { events: [], dropped: 2 });
    await vi.waitFor(() => expect(terminal.out().split("\n").length).toBe(3));
    service.hangUp();
    expect(await ended).toBe(3);
    const [first, second, last] = terminal.out().trimEnd().split("\n");
    expect(JSON.parse(first ?? "")).toEqual(executed);
    expect(JSON.parse(second ?? "")).toEqual({ type: "lag", dropped: 2 });
    expect(JSON.parse(last ?? "")).toMatchObject({ error: { code: "service.not_running" } });
    const { env } = homeWithLog("");
    expect(await run(["events", "tail"], { env })).toMatchObject({ code: 3, out: "" });
  });
});
