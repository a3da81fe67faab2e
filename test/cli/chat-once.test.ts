import { describe, expect, it, vi } from "vitest";
import { chatOnce } from "../../src/cli/chat/chat-once.ts";
import { createContext } from "../../src/cli/command-context.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import type { ChatEvent } from "../../src/schema/socket/protocol.ts";
import { accepted, type FakeService, fakeService } from "./support/fake-service.ts";
import { fakeTerminal } from "./support/fake-terminal.ts";
import {
  finished,
  sampleApproval,
  sampleQuestion,
  sampleStatus,
  started,
  sampleBudget,
} from "./support/samples.ts";

type Options = { readonly isTTY?: boolean; readonly input?: string };

function chat(service: FakeService, args: readonly string[], options: Options = {}) {
  const terminal = fakeTerminal({ ...options, env: { STATEHIVE_HOME: service.home } });
  const ended = runCli(["chat", ...args], terminal);
  const sent = vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(0));
  return { terminal, ended, sent };
}

const delta: ChatEvent = { type: "text.delta", text: "Hello" };

describe("chat -p", () => {
  it("prints the reply alone on stdout and exits with 0", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, [
      "-p",
      "hi",
      "-a",
      "main",
      "-s",
      "work",
      "--queue",
      "collect",
    ]);
    await sent;
    expect(service.requests[0]?.params).toMatchObject({
      text: "hi",
      agent: "main",
      session: "work",
      queue: "collect",
    });
    service.tell(started, delta, finished("done", { reply: "Hello\u001b[2J you" }));
    expect(await ended).toBe(0);
    expect(terminal.out()).toBe("Hello\\x1b[2J you\n");
    expect(terminal.err()).toBe("");
  });

  it("streams on a terminal", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, ["-p", "hi"], { isTTY: true });
    await sent;
    service.tell(started, delta);
    await vi.waitFor(() => expect(terminal.out()).toBe("Hello"));
    service.tell(finished("done", { reply: "Hello" }));
    expect(await ended).toBe(0);
    expect(terminal.out()).toBe("Hello\n");
  });

  it("takes its text from a pipe", async () => {
    const service = await fakeService();
    const { ended, sent } = chat(service, [], { input: "two\nlines\n" });
    await sent;
    expect(service.requests[0]?.params["text"]).toBe("two\nlines");
    service.tell(finished("done"));
    expect(await ended).toBe(0);
  });

  it("tells every event as a line of JSON", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, ["-p", "hi", "--json"]);
    await sent;
    const events = [started, delta, finished("done", { reply: "Hello" })];
    service.tell(...events);
    expect(await ended).toBe(0);
    const lines = terminal.out().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(events);
  });

  it("tells a failure once, on stderr alone", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, ["-p", "hi"]);
    await sent;
    const error = { code: "model.auth" as const, message: "Bad key.", retryable: false };
    service.tell(finished("failed", { reply: "I could not go on: Bad key.", error }));
    expect(await ended).toBe(1);
    expect(terminal.out()).toBe("");
    expect(terminal.err().match(/Bad key/g)).toHaveLength(1);
  });

  it("says once why nothing is heard from a service that cannot write", async () => {
    const degraded = { code: "store.unavailable" as const, message: "full", retryable: true };
    const service = await fakeService({ status: { ...sampleStatus, degraded } });
    const terminal = fakeTerminal({ env: { STATEHIVE_HOME: service.home } });
    const options = { json: false, color: true, quiet: false, verbose: false, timeoutMs: 1000 };
    const context = createContext(terminal, options);
    const ended = chatOnce(context, { text: "hi", troubleAfterMs: 5 });
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(3));
    service.tell(finished("done"));
    expect(await ended).toMatchObject({ exitCode: 0 });
    expect(terminal.err()).toBe("The service cannot write: full. What runs goes on when it can.\n");
  });

  it.each(["failed", "cancelled"] as const)("exits with 1 when its run was %s", async (status) => {
    const service = await fakeService();
    const { ended, sent } = chat(service, ["-p", "hi"]);
    await sent;
    service.tell(finished(status));
    expect(await ended).toBe(1);
  });

  it("exits with 3 when the service goes away", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, ["-p", "hi", "--json"]);
    await sent;
    service.tell(started);
    await vi.waitFor(() => expect(terminal.out()).toContain("run.started"));
    service.hangUp();
    expect(await ended).toBe(3);
    expect(terminal.out().trimEnd().split("\n").at(-1)).toMatch(
      /^\{"ok":false,"error":\{"code":"service.not_running"/,
    );
  });

  it("leaves the run running on Ctrl-C, says how to come back, and exits with 130", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, ["-p", "hi", "-s", "work"]);
    await sent;
    service.tell(started);
    await vi.waitFor(() => expect(service.requests.length).toBe(1));
    terminal.signal("SIGINT");
    expect(await ended).toBe(130);
    expect(terminal.err()).toContain("`statehive chat -s work` talks on");
    expect(service.requests.map(({ method }) => method)).toEqual(["chat.send"]);
  });
});

describe("an approval in chat -p", () => {
  const opened: ChatEvent = { type: "approval.opened", approval: sampleApproval };

  it("is told with how to decide it, and waited for", async () => {
    const service = await fakeService();
    const { terminal, ended, sent } = chat(service, ["-p", "hi"]);
    await sent;
    service.tell(started, opened);
    await vi.waitFor(() => expect(terminal.err()).toContain("`statehive approvals allow a7`"));
    service.tell(
      { type: "approval.decided", id: "a7", state: "approved", decided_by: "tui" },
      finished("done"),
    );
    expect(await ended).toBe(0);
    expect(terminal.err()).toContain("· a7 is approved, by tui");
    expect(service.requests.length).toBe(1);
  });

  it.each([
    ["once", "continue"],
    ["deny", "stop"],
  ])("about a budget is answered at once by --approve %s", async (how, value) => {
    const service = await fakeService({ "approvals.answer": { id: "a7", state: "answered" } });
    const { ended, sent } = chat(service, ["-p", "hi", "--approve", how]);
    await sent;
    service.tell(started, { type: "approval.opened", approval: sampleBudget });
    await vi.waitFor(() => expect(service.requests.length).toBe(2));
    expect(service.requests[1]).toEqual({
      method: "approvals.answer",
      params: { id: "a7", value },
    });
    service.tell(finished("done"));
    expect(await ended).toBe(0);
  });

  it.each([
    ["once", "approve"],
    ["deny", "deny"],
  ])("is decided at once by --approve %s", async (how, decision) => {
    const service = await fakeService({
      "approvals.decide": { id: "a7", state: "approved", scope: "once", until: null },
    });
    const { ended, sent } = chat(service, ["-p", "hi", "--approve", how]);
    await sent;
    service.tell(started, opened);
    await vi.waitFor(() => expect(service.requests.length).toBe(2));
    expect(service.requests[1]).toEqual({
      method: "approvals.decide",
      params: { id: "a7", decision },
    });
    service.tell(finished("done"));
    expect(await ended).toBe(0);
  });

  it("that somebody else decided first is no failure", async () => {
    const lost = {
      code: "approval.already_decided" as const,
      message: "a7 was denied by tui.",
      retryable: false,
    };
    const service = await fakeService({ "approvals.decide": lost });
    const { terminal, ended, sent } = chat(service, ["-p", "hi", "--approve", "once"]);
    await sent;
    service.tell(started, opened, finished("done"));
    expect(await ended).toBe(0);
    expect(terminal.err()).toContain("a7 was denied by tui.");
  });

  it("that is a question, or another message's, stays for a person", async () => {
    const service = await fakeService({
      "chat.send": { ...accepted, queued: true, waiting_for: [sampleApproval] },
    });
    const { terminal, ended, sent } = chat(service, ["-p", "hi", "--approve", "deny"]);
    await sent;
    service.tell(started, { type: "approval.opened", approval: sampleQuestion });
    await vi.waitFor(() =>
      expect(terminal.err()).toContain("`statehive approvals answer a9 VALUE`"),
    );
    service.tell(finished("done"));
    expect(await ended).toBe(0);
    expect(terminal.err()).toContain(
      "An earlier message is still being worked on; this one waits its turn.",
    );
    expect(terminal.err()).toContain("`statehive approvals allow a7`");
    expect(service.requests.length).toBe(1);
  });
});

describe("a service that says nothing", () => {
  it("costs no more than --timeout, and exits with 4", async () => {
    const service = await fakeService({ hello: "silence" });
    const terminal = fakeTerminal();
    const code = await runCli(
      ["status", "--home", service.home, "--timeout", "50", "--json"],
      terminal,
    );
    expect(code).toBe(4);
    expect(JSON.parse(terminal.out())).toMatchObject({ error: { code: "service.not_answering" } });
  });

  it("is not started again", async () => {
    const service = await fakeService({ hello: "silence" });
    const terminal = fakeTerminal();
    expect(await runCli(["stop", "--home", service.home, "--timeout", "50"], terminal)).toBe(4);
    expect(terminal.err()).toContain("statehive stop --force");
  });
});

describe("what an actor refuses", () => {
  it.each(["event.not_accepted", "event.not_pokeable"] as const)(
    "exits with 1 as %s",
    async (code) => {
      const error = {
        code,
        message: "run.cancel was not accepted: the run has ended.",
        retryable: false,
        hint: "ask it what it takes",
      };
      const service = await fakeService({ "actor.send": error });
      const terminal = fakeTerminal();
      expect(
        await runCli(
          ["actors", "send", "system", "run.cancel", "--home", service.home, "--json"],
          terminal,
        ),
      ).toBe(1);
      expect(JSON.parse(terminal.out())).toEqual({
        ok: false,
        error: { code, message: error.message, hint: "ask it what it takes" },
      });
    },
  );

  it("always comes with a next step", async () => {
    const error = { code: "event.not_pokeable" as const, message: "No.", retryable: false };
    const service = await fakeService({ "actor.send": error });
    const terminal = fakeTerminal({ env: { STATEHIVE_HOME: service.home } });
    expect(await runCli(["actors", "send", "system", "system.stop"], terminal)).toBe(1);
    expect(terminal.err()).toBe(
      "statehive: No.\n  A person may not send this event by hand; decisions go through approvals.\n",
    );
  });

  it("is an error also where the service answers with the outcome", async () => {
    const service = await fakeService({
      "actor.send": { seq: 1, outcome: "rejected", state: "done" },
    });
    const terminal = fakeTerminal();
    expect(
      await runCli(
        ["actors", "send", "system", "run.cancel", "--home", service.home, "--json"],
        terminal,
      ),
    ).toBe(1);
    expect(JSON.parse(terminal.out())).toMatchObject({ error: { code: "event.not_accepted" } });
  });
});

it("says that the audit is broken, where, and exits with 1", async () => {
  const fault = { n: 3, message: "its hash does not fit" };
  const service = await fakeService({ "audit.verify": { ok: false, rows: 9, fault } });
  const terminal = fakeTerminal();
  expect(await runCli(["audit", "verify", "--home", service.home], terminal)).toBe(1);
  expect(terminal.err()).toContain("The audit chain is broken at row 3: its hash does not fit");
});
