import { describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { ChatEvent } from "../../src/schema/socket/protocol.ts";
import {
  accepted,
  type FakeService,
  fakeService,
  sampleAgent,
  sampleHello,
} from "./support/fake-service.ts";
import { fakeTerminal } from "./support/fake-terminal.ts";
import {
  finished,
  sampleApproval,
  sampleQuestion,
  sampleStatus,
  started,
} from "./support/samples.ts";

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const opened = (approval: typeof sampleApproval): ChatEvent => ({
  type: "approval.opened",
  approval,
});

async function conversation(service: FakeService) {
  const terminal = fakeTerminal({ isTTY: true, env: { TERM: "xterm", NO_COLOR: "1" } });
  const ended = runCli(["chat", "--home", service.home], terminal);
  const sees = (text: string) => vi.waitFor(() => expect(terminal.out()).toContain(text));
  await sees("you: ");
  return {
    terminal,
    ended,
    sees,
    says: (line: string) => terminal.type(`${line}\r`),
    /** Repeats itself until it is heard: what comes within a moment of a question is no answer to it. */
    answers: (line: string, method: string) =>
      vi.waitFor(
        () => {
          const heard = service.requests.some((request) => request.method === method);
          if (!heard) terminal.type(`${line}\r`);
          expect(heard).toBe(true);
        },
        { interval: 150 },
      ),
    requests: (count: number) => vi.waitFor(() => expect(service.requests.length).toBe(count)),
  };
}

const service = (more: Parameters<typeof fakeService>[0] = {}) =>
  fakeService({ status: sampleStatus, ...more });

describe("a conversation on a terminal", () => {
  it("says who answers, streams the answer, and leaves on Ctrl-D", async () => {
    const fake = await service();
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    expect(terminal.out()).toContain(
      "🦀 Main answers (offline/rules, the built-in offline model).",
    );
    expect(terminal.out()).toContain("set ANTHROPIC_API_KEY");
    says("hello");
    await requests(2);
    expect(fake.requests[1]).toMatchObject({
      method: "chat.send",
      params: { text: "hello" },
    });
    expect(fake.requests[1]?.params).not.toHaveProperty("agent");
    fake.tell(started, { type: "text.delta", text: "Good day." }, finished("done"));
    await sees("🦀 Main: Good day.\n");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("names whoever answers, also where the bindings lead a later message elsewhere", async () => {
    const answer = { ...accepted };
    const notes = { ...sampleAgent, id: "notes", name: "Keeper\u001b[31m", emoji: null };
    const fake = await service({ "chat.send": answer, "agents.list": [sampleAgent, notes] });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    Object.assign(answer, { agent_id: "notes" });
    says("hello");
    await requests(2);
    const [begins, ends] = [started, finished("done")].map((event) => ({
      ...event,
      agent_id: "notes",
    }));
    fake.tell(begins as ChatEvent, { type: "text.delta", text: "Noted." }, ends as ChatEvent);
    await sees("Keeper");
    await sees("Noted.\n");
    expect(terminal.out()).not.toContain("Keeper\u001b[31m");
    expect(terminal.out()).not.toContain("Main: Noted.");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("takes pasted lines as one message", async () => {
    const fake = await service();
    const { terminal, ended, requests } = await conversation(fake);
    terminal.type("one\rtwo\r");
    await requests(2);
    expect(fake.requests[1]?.params["text"]).toBe("one\ntwo");
    fake.tell(finished("done"));
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("cancels the run on the first Ctrl-C and leaves on the second, which leaves it running", async () => {
    const fake = await service({
      "runs.cancel": { seq: 1, outcome: "handled", state: "cancelling" },
    });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("hello");
    await requests(2);
    fake.tell(started, { type: "text.delta", text: "Well" });
    await sees("Well");
    terminal.type(ctrlC);
    await requests(3);
    expect(fake.requests[2]).toEqual({ method: "runs.cancel", params: { id: "r4" } });
    terminal.type(ctrlC);
    expect(await ended).toBe(130);
    expect(terminal.err()).toContain("What runs goes on");
  });

  it("has commands, and says which there are", async () => {
    const fake = await service({ "approvals.list": [] });
    const { terminal, ended, sees, says } = await conversation(fake);
    says("/help");
    await sees("/later          leave the present question open");
    says("/status");
    await sees("statehive 0.1.0 is running (pid 4711, up 3h)");
    says("/approvals");
    await sees("Nothing waits for you.");
    says("/nonsense");
    await sees("There is no /nonsense; /help lists what there is.");
    says("/quit");
    expect(await ended).toBe(0);
    expect(terminal.err()).toBe("");
  });
});

describe("a message while a run works", () => {
  it("may say itself what becomes of it, and is shown once with the run that it joins", async () => {
    const answer = { ...accepted };
    const fake = await service({ "chat.send": answer });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("hello");
    await requests(2);
    fake.tell(started);
    Object.assign(answer, { trace_id: "t2", queued: true, queue: "steer" });
    says("/steer and be brief");
    await requests(3);
    expect(fake.requests[2]?.params).toMatchObject({ text: "and be brief", queue: "steer" });
    await sees("you: and be brief (reaches the agent before its next step)");
    const ids = { run_id: "r4", trace_id: "t1", session_id: "s3", agent_id: "main" };
    fake.tell({ type: "message.joined", message_trace_id: "t2", ...ids });
    fake.tell({ type: "text.delta", text: "Good day." }, finished("done"));
    await sees("Good day.\n");
    expect(terminal.out().split("Good day.")).toHaveLength(2);
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("is stopped after its step by /stop after, and no other word is taken", async () => {
    const fake = await service({
      "runs.cancel": { seq: 1, outcome: "handled", state: "awaiting_tool" },
    });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("hello");
    await requests(2);
    fake.tell(started);
    says("/stop later");
    await sees("/stop does not take later; /help says what there is.");
    says("/steer");
    await sees("Say what: /steer TEXT");
    says("/stop after");
    await sees("(stops after this step)");
    expect(fake.requests[2]).toEqual({
      method: "runs.cancel",
      params: { id: "r4", after_step: true },
    });
    fake.tell(finished("cancelled"));
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });
});

describe("a question in a conversation", () => {
  const decided = {
    "approvals.decide": { id: "a7", state: "approved", scope: "session", until: null },
  } as const;

  it("is shown whole and asked until it is answered", async () => {
    const fake = await service(decided);
    const { terminal, ended, sees, says, answers, requests } = await conversation(fake);
    says("write");
    await requests(2);
    fake.tell(started, opened(sampleApproval));
    await sees("      | second\n");
    await sees("[o]nce / [s]ession / [d]eny [reason]: ");
    says("maybe");
    await answers("s", "approvals.decide");
    expect(fake.requests[2]?.params).toEqual({
      id: "a7",
      decision: "approve",
      scope: "session",
      binding: "b1",
    });
    await sees("· a7 is approved for the session\n");
    fake.tell(
      { type: "approval.decided", id: "a7", state: "approved", decided_by: "cli" },
      finished("done"),
    );
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
    expect(fake.requests.length).toBe(3);
  });

  it("of a run from before this chat is followed by that run's answer", async () => {
    const fake = await service({
      ...decided,
      "approvals.list": [sampleApproval],
      "chat.follow": { run_id: sampleApproval.run_id, trace_id: "t1", agent_id: "main" },
    });
    const { terminal, ended, sees, says, answers } = await conversation(fake);
    says("/approvals");
    await sees("[d]eny [reason]: ");
    await answers("o", "approvals.decide");
    fake.tell({ type: "text.delta", text: "Here it is." }, finished("done"));
    await sees("🦀 Main: Here it is.");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
    const followed = fake.requests.filter(({ method }) => method === "chat.follow");
    expect(followed.map(({ params }) => params["run"])).toEqual([sampleApproval.run_id]);
  });

  it("takes nothing as its answer that was typed before it was seen", async () => {
    const fake = await service(decided);
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("write");
    await requests(2);
    terminal.type("o");
    fake.tell(started, opened(sampleApproval));
    await sees("[d]eny [reason]: ");
    says("");
    fake.tell(
      { type: "approval.decided", id: "a7", state: "denied", decided_by: "tui" },
      finished("done"),
    );
    await sees("· a7 is denied, by tui");
    await sees("you: o");
    expect(fake.requests.length).toBe(2);
    terminal.signal("SIGTERM");
    expect(await ended).toBe(130);
  });

  it("of an earlier run is asked first when a message has to wait for it", async () => {
    const fake = await service({
      ...decided,
      "chat.send": { ...accepted, queued: true, waiting_for: [sampleApproval] },
    });
    const { terminal, ended, sees, says, answers } = await conversation(fake);
    says("hello?");
    await sees("(your message waits: this comes first; /stop cancels it)");
    await answers("deny", "approvals.decide");
    expect(fake.requests[2]?.params).toEqual({ id: "a7", decision: "deny", binding: "b1" });
    fake.tell(started, finished("done"));
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("A07: of several calls a yes decides none, and all are allowed as they were shown", async () => {
    const many = ["a7", "a8", "a9"].map((id) => ({
      ...sampleApproval,
      id,
      binding: `b-${id}`,
      input: { path: `${id}.txt`, content: "x" },
    }));
    const [first = sampleApproval] = many;
    const fake = await service({
      "approvals.step": {
        step_id: first.step_id,
        binding: "all",
        too_long: false,
        approvals: many,
      },
      "approvals.decide_step": {
        step_id: first.step_id,
        decided: many.map(({ id }) => ({ id, state: "approved", scope: "once", until: null })),
        failed: [],
      },
    });
    const { terminal, ended, sees, says, answers, requests } = await conversation(fake);
    says("write");
    await requests(2);
    fake.tell(started, ...many.map(opened));
    await sees("[o]nce / [s]ession / [d]eny [reason] / [t]ogether with 2 more: ");
    expect(terminal.out()).not.toContain("a9.txt");
    says("yes");
    await sees("(no answer that fits a7; behind it wait a8, a9; /later leaves it open)");
    await answers("t", "approvals.step");
    await sees("path: a9.txt");
    await sees("[a]ll 3 once / [d]eny all 3 [reason] / [b]ack: ");
    expect(terminal.out().split("path: a7.txt")).toHaveLength(2);
    says("o");
    await answers("a", "approvals.decide_step");
    expect(fake.requests.at(-1)?.params).toEqual({
      step: first.step_id,
      binding: "all",
      decision: "approve",
    });
    await sees("· a7, a8, a9 are approved\n");
    expect(fake.requests.some(({ method }) => method === "approvals.decide")).toBe(false);
    fake.tell(finished("done"));
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("A07: of several is asked alone again when another one was decided meanwhile", async () => {
    const many = ["a7", "a8"].map((id) => ({ ...sampleApproval, id }));
    const fake = await service({
      "approvals.step": {
        step_id: sampleApproval.step_id,
        binding: "all",
        too_long: false,
        approvals: many,
      },
    });
    const { terminal, ended, sees, says, answers, requests } = await conversation(fake);
    says("write");
    await requests(2);
    fake.tell(started, ...many.map(opened));
    await sees("[t]ogether with 1 more: ");
    await answers("t", "approvals.step");
    await sees("[a]ll 2 once");
    fake.tell({ type: "approval.decided", id: "a7", state: "approved", decided_by: "tui" });
    await sees("(what waits together has changed)");
    await vi.waitFor(() =>
      expect(terminal.out().split("\n").at(-1)).toContain("[o]nce / [s]ession / [d]eny [reason]: "),
    );
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("is shown anew where what was shown is not what is asked", async () => {
    const now = { ...sampleApproval, binding: "b2", summary: "Write 13 bytes to notes/b.txt" };
    const fake = await service({
      "approvals.decide": {
        code: "approval.changed",
        message: "What was shown is not what a7 asks.",
        retryable: false,
        hint: "look again",
      },
      "approvals.show": now,
    });
    const { terminal, ended, sees, says, answers, requests } = await conversation(fake);
    says("write");
    await requests(2);
    fake.tell(started, opened(sampleApproval));
    await sees("[d]eny [reason]: ");
    await answers("o", "approvals.decide");
    await sees("What was shown is not what a7 asks.");
    await sees("Write 13 bytes to notes/b.txt");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("can be left open while one talks on", async () => {
    const fake = await service();
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("write");
    await requests(2);
    fake.tell(started, opened(sampleQuestion));
    await sees("  2. blue\n");
    says("/later");
    await sees("· a9 stays open; /approvals asks again\n");
    says("and this");
    await requests(3);
    expect(fake.requests[2]?.params["text"]).toBe("and this");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
    expect(terminal.err()).toContain("What runs goes on");
  });

  it("takes a number or any text", async () => {
    const fake = await service({ "approvals.answer": { id: "a9", state: "answered" } });
    const { terminal, ended, sees, says, answers, requests } = await conversation(fake);
    says("ask me");
    await requests(2);
    fake.tell(started, opened(sampleQuestion));
    await sees("number or text: ");
    await answers("2", "approvals.answer");
    expect(fake.requests[2]?.params).toEqual({ id: "a9", value: "blue", binding: "b1" });
    fake.tell(finished("done"));
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });
});

describe("a service that goes away", () => {
  const gone = "(the service has gone away; this chat goes on when it is back, Ctrl-D leaves)\n";
  const times = (text: string, words: string) => text.split(words).length - 1;

  it("does not end the conversation: what was said is followed under its key, nothing is shown twice", async () => {
    const fake = await service({ "approvals.list": [] });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("hello");
    await requests(2);
    fake.tell(started, { type: "text.delta", text: "Good d" });
    await sees("Good d");
    fake.hangUp();
    await sees("(the service is back)\n");
    await requests(4);
    const sent = fake.requests.filter(({ method }) => method === "chat.send");
    expect(sent.map(({ params }) => params["text"])).toEqual(["hello", "hello"]);
    expect(new Set(sent.map(({ params }) => params["idempotency_key"])).size).toBe(1);
    const again = { type: "text.delta", text: "Good day." } as const;
    fake.tell(again, finished("done", { reply: "Good day." }));
    await sees("(the answer broke off; it begins again)\n");
    await sees("🦀 Main: Good day.\n");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
    expect(times(terminal.out(), gone)).toBe(1);
    expect(times(terminal.out(), "Good day.")).toBe(1);
    expect(terminal.err()).toBe("");
  });

  it.each([
    ["heard whole", "Good day.", 1],
    ["not heard", "", 1],
  ])("shows once what was answered meanwhile, %s", async (_name, heard, shownTimes) => {
    const fake = await service({ "approvals.list": [] });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("hello");
    await requests(2);
    fake.tell(started, { type: "text.delta", text: heard });
    await sees(heard);
    fake.hangUp();
    await requests(4);
    fake.tell(finished("done", { reply: "Good day." }));
    await sees("🦀 Main: Good day.\n");
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
    expect(times(terminal.out(), "Good day.")).toBe(shownTimes);
  });

  it("asks what was asked meanwhile, and keeps a message that was typed meanwhile", async () => {
    const fake = await service({ "approvals.list": [sampleApproval] });
    const { terminal, ended, sees, says, requests } = await conversation(fake);
    says("write");
    await requests(2);
    fake.tell(started);
    fake.hangUp();
    await sees(gone);
    says("and then?");
    await sees("(kept; it is sent when the service is back)");
    await sees("[o]nce / [s]ession / [d]eny [reason]: ");
    await vi.waitFor(() => {
      const sent = fake.requests.filter(({ method }) => method === "chat.send");
      expect(sent.map(({ params }) => params["text"])).toEqual(["write", "write", "and then?"]);
    });
    terminal.type(ctrlD);
    expect(await ended).toBe(0);
  });

  it("and comes back as another version ends it with what to do", async () => {
    const answers = { hello: { ...sampleHello }, status: sampleStatus };
    const fake = await fakeService(answers);
    const { terminal, ended } = await conversation(fake);
    answers.hello.protocol = 99;
    fake.hangUp();
    expect(await ended).toBe(4);
    expect(terminal.err()).toContain("speaks protocol 99, not 2.");
  });
});
