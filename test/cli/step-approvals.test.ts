import { describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { fakeService } from "./support/fake-service.ts";
import { fakeTerminal, run } from "./support/fake-terminal.ts";
import { sampleApproval } from "./support/samples.ts";

/** All calls of a step at once, from a command line: only what was shown. */

const calls = ["a7", "a8"].map((id) => ({ ...sampleApproval, id, input: { path: `${id}.txt` } }));
const waiting = { step_id: "r4.1", binding: "b".repeat(64), too_long: false, approvals: calls };
const decided = {
  step_id: "r4.1",
  decided: [{ id: "a7", state: "approved", scope: "once" as const, until: null }],
  failed: [
    {
      id: "a8",
      error: { code: "approval.ended" as const, message: "a8 was cancelled.", retryable: false },
    },
  ],
};

async function desk(more: Parameters<typeof fakeService>[0] = {}) {
  const service = await fakeService({
    "approvals.list": [...calls, { ...sampleApproval, id: "a9", step_id: "r5.1" }],
    "approvals.step": waiting,
    "approvals.decide_step": decided,
    ...more,
  });
  return {
    ...service,
    ask: (...args: readonly string[]) => run([...args, "--home", service.home]),
    decisions: () => service.requests.filter(({ method }) => method === "approvals.decide_step"),
  };
}

describe("approvals of one step", () => {
  it("are named below the list, where several wait together", async () => {
    const { ask } = await desk();
    expect((await ask("approvals", "list")).out.split("\n").slice(4)).toEqual([
      expect.stringContaining(
        "2 calls of r4.1 wait together: `statehive approvals show --step r4.1",
      ),
      "",
    ]);
  });

  it("are shown whole, with the one line that allows exactly them", async () => {
    const { ask, home } = await desk();
    const { out } = await ask("approvals", "show", "--step", "r4.1");
    expect(out).toMatch(/^2 calls of r4\.1 wait\nApproval a7\n/);
    expect(out).toContain("path: a8.txt\n");
    expect(out).toContain(
      `To allow all of it: \`statehive approvals allow --step r4.1 --binding ${waiting.binding} --home ${home}\`\n`,
    );
    const long = await desk({ "approvals.step": { ...waiting, too_long: true } });
    expect((await long.ask("approvals", "show", "--step", "r4.1")).out).toMatch(
      /Too long together to be allowed at once: decide them one by one\.\n$/,
    );
  });

  it("are allowed with the binding that was shown; what was not decided is told, and the exit code says so", async () => {
    const { ask, decisions } = await desk();
    const { code, out } = await ask("approvals", "allow", "--step", "r4.1", "--binding", "b1");
    expect([code, out]).toEqual([1, "a7 is approved.\na8 is not decided: a8 was cancelled.\n"]);
    expect(decisions().map(({ params }) => params)).toEqual([
      { step: "r4.1", binding: "b1", decision: "approve", scope: "once" },
    ]);
  });

  it("are not allowed unseen, but can be denied", async () => {
    const { ask, decisions } = await desk();
    const { code, err } = await ask("approvals", "allow", "--step", "r4.1");
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^statehive: Only what was shown can be allowed together\.\n {2}`/),
    ]);
    expect(decisions()).toEqual([]);
    await ask("approvals", "deny", "--step", "r4.1", "--reason", "no");
    expect(decisions().map(({ params }) => params)).toMatchObject([
      { binding: waiting.binding, decision: "deny", reason: "no" },
    ]);
  });

  it.each([
    ["y", 1],
    ["", 0],
  ])("are shown to a person at a terminal, who says %j", async (said, count) => {
    const { home, decisions } = await desk();
    const terminal = fakeTerminal({ isTTY: true, env: { TERM: "xterm", NO_COLOR: "1" } });
    const ended = runCli(["approvals", "allow", "--step", "r4.1", "--home", home], terminal);
    await vi.waitFor(() => expect(terminal.out()).toContain("Allow 2 calls, once? [y/N] "));
    expect(terminal.out()).toContain("path: a7.txt");
    terminal.type(`${said}\r`);
    await ended;
    expect(decisions()).toHaveLength(count);
  });

  it("are told with how far the word on each reaches", async () => {
    const both = [
      { id: "a7", state: "denied", scope: "run" as const, until: null },
      { id: "a8", state: "denied", scope: "once" as const, until: null },
    ];
    const { ask } = await desk({
      "approvals.decide_step": { ...decided, decided: both, failed: [] },
    });
    const { out } = await ask("approvals", "deny", "--step", "r4.1", "--scope", "run");
    expect(out).toBe("a7 is denied for the run.\na8 is denied.\n");
  });

  it("name all forms of a time to whoever writes none of them", async () => {
    const { ask } = await desk();
    const { code, err } = await ask("approvals", "allow", "a7", "--until", "tomorrow");
    expect(code).toBe(2);
    expect(err).toContain("Write it as 30m, 2h, 1d, 2026-01-31 or 2026-01-31T20:00:00Z.");
  });

  it("A07: are asked for by name: neither id nor step is no answer, and is told what waits", async () => {
    const { ask } = await desk();
    const { code, err } = await ask("approvals", "allow");
    expect([code, err]).toEqual([
      2,
      "statehive: Say which: an id, or --step.\n  these wait: a7, a8, a9\n",
    ]);
    expect((await ask("approvals", "deny", "a7", "--step", "r4.1")).code).toBe(2);
  });
});
