import { describe, expect, it } from "vitest";
import { AgentError } from "../../src/schema/errors.ts";
import type { ChatEvent, Results, ShownMessage } from "../../src/schema/socket/protocol.ts";
import { sampleAgent } from "../cli/support/fake-service.ts";
import { expectGolden } from "./support/golden.ts";
import { modelOfADay, pendingApproval } from "./support/model-of-a-day.ts";
import { type Answers, stage, type StageOptions } from "./support/stage.ts";

const ids = { run_id: "r8", trace_id: "t8", session_id: "s1", agent_id: "main" };
const usage = modelOfADay().runs[0]?.usage as Results["runs.list"][number]["usage"];
const started: ChatEvent = { type: "run.started", ...ids };
const delta = (text: string): ChatEvent => ({ type: "text.delta", text });
const finished = (reply: string): ChatEvent => ({
  type: "run.finished",
  ...ids,
  status: "done",
  reply,
  error: null,
  usage,
});
const writes: ChatEvent = {
  type: "tool.started",
  call_id: "u1",
  tool: "file_write",
  input: { path: "todo.txt", content: "buy milk\u001b[2J" },
};
const wrote = (output: string): ChatEvent => ({
  type: "tool.finished",
  call_id: "u1",
  tool: "file_write",
  status: "done",
  output,
  is_error: false,
});

const at = "2026-01-05T11:00:00.000Z";
const stored = (role: ShownMessage["role"], text: string, run_id = "r1"): ShownMessage => ({
  role,
  content: [{ type: "text", text, origin: "user:ada" }],
  run_id,
  at,
});

type Talk = { readonly chat: string; readonly text: string; readonly [name: string]: unknown };

/** A service that accepts what is said; a test tells what comes of it. */
function chatting(messages: readonly ShownMessage[] = [], more: Answers = {}) {
  const said: Talk[] = [];
  const answers: Answers = {
    "agents.list": () => [sampleAgent],
    "chat.agent": () => sampleAgent,
    "sessions.show": ({ limit }: { limit: number }) => ({
      ...(modelOfADay().sessions[0] as Results["sessions.list"][number]),
      usage,
      forked_from: null,
      shortened: null,
      messages: messages.slice(-limit),
    }),
    "chat.send": (params: Talk) => {
      said.push(params);
      const queued = said.length > 1;
      return {
        session_id: "s1",
        address: "session/x",
        agent_id: "main",
        trace_id: `t${said.length}`,
        queued,
        queue: (params["queue"] as "steer" | undefined) ?? "follow_up",
        waiting_for: [],
      };
    },
    "chat.follow": ({ run }: { run: string }) => ({
      run_id: run,
      trace_id: "t7",
      agent_id: "main",
    }),
    "runs.cancel": () => ({ seq: 1, outcome: "handled", state: "cancelling" }),
    ...more,
  };
  return { answers, said };
}

/** Nothing runs and nothing waits. */
const atRest = () => Object.assign(modelOfADay(), { approvals: [], runs: [] });

async function inTheChat(options: StageOptions = {}, messages: readonly ShownMessage[] = []) {
  const { answers, said } = chatting(messages, options.answers);
  const on = stage({ model: atRest, ...options, answers });
  await on.press("f7");
  return {
    ...on,
    said,
    text: () => on.rows().join("\n"),
    async hear(...events: readonly ChatEvent[]) {
      const followed = on.asked.findLast(({ method }) => method === "chat.follow");
      const chat = (said.at(-1) ?? (followed?.params as Talk | undefined))?.chat;
      for (const event of events) await on.tell("chat.delta", { chat, event });
    },
    async say(text: string) {
      await on.type(text);
      await on.press("enter");
    },
  };
}

const toldOf = (on: { asked: readonly { method: string; params: unknown }[] }, method: string) =>
  on.asked.filter((each) => each.method === method).map(({ params }) => params);

describe("the view of the chat", () => {
  it("shows an answer while it streams, with its calls, and what they ask", async () => {
    const { answers, said } = chatting([stored("user", "hello"), stored("assistant", "Good day.")]);
    const model = atRest;
    await expectGolden("chat", { model, answers }, async (on) => {
      said.length = 0;
      await on.press("f7");
      await on.type("write buy milk to todo.txt");
      await on.press("enter");
      const { chat = "" } = said[0] ?? {};
      const events = [
        started,
        delta("I **will** write it:\n```\nbuy milk\n```\n"),
        writes,
        wrote("one\ntwo\nthree"),
      ];
      for (const event of events) await on.tell("chat.delta", { chat, event });
      on.model.approvals = [pendingApproval];
      await on.tell("chat.tool", {
        chat,
        event: { type: "approval.opened", approval: pendingApproval },
      });
      await on.tell("chat.delta", {
        chat,
        event: delta(
          "Meanwhile: \u001b]52;c;aGk=\u0007漢字 and so on, which is long enough to be broken between words",
        ),
      });
      await on.type("and");
      await on.press("C-j");
      await on.type("bread");
    });
  });

  it("sends what is typed to the usual conversation, streams, and says what it cost", async () => {
    const on = await inTheChat();
    await on.say("hello q1?");
    expect(on.said).toMatchObject([{ text: "hello q1?", session: "cli" }]);
    await on.hear(started, delta("Good "), delta("day."));
    expect(on.text()).toContain("  Good day.");
    expect(on.text()).toContain("works for");
    await on.hear(finished("Good day."));
    expect(on.text()).toMatch(/· done in \d+s: 1\.2K in, 310 out, \$0\.0113/);
    expect(on.text().match(/Good day\./g)).toHaveLength(1);
  });

  it("sends many lines at once, however they came", async () => {
    const on = await inTheChat();
    await on.type("one");
    await on.press("C-j");
    await on.paste("two\nq\ny");
    await on.press("enter");
    expect(on.said.map(({ text }) => text)).toEqual(["one\ntwo\nq\ny"]);
    expect(on.hasLeft()).toBe(false);
  });

  it("takes a paste of 100 KB", async () => {
    const on = await inTheChat();
    const text = "word 漢字\n".repeat(8_000);
    await on.paste(text);
    on.rows();
    await on.press("enter");
    expect(on.said[0]?.text).toBe(text);
  });

  it("queues, steers and interrupts while a run works", async () => {
    const on = await inTheChat();
    await on.say("first");
    await on.hear(started);
    await on.say("second");
    expect(on.text()).toContain("(waits its turn)");
    await on.type("third");
    await on.press("C-s");
    expect(on.said.map(({ text, queue }) => [text, queue])).toEqual([
      ["first", undefined],
      ["second", undefined],
      ["third", "steer"],
    ]);
    await on.type("not yet");
    await on.press("escape");
    expect(toldOf(on, "runs.cancel")).toEqual([{ id: "r8" }]);
    expect(on.text()).toContain("not yet");
  });

  it("empties the field by Esc when nothing runs, and brings it back by up", async () => {
    const on = await inTheChat();
    await on.type("draft");
    await on.press("escape");
    expect(on.text()).not.toContain("draft");
    await on.press("up");
    expect(on.text()).toContain("draft");
  });

  it("leads to what waits for a person, and takes no answer while they type", async () => {
    const on = await inTheChat();
    await on.say("go");
    await on.hear(started, { type: "approval.opened", approval: pendingApproval });
    on.model.approvals = [pendingApproval];
    expect(on.text()).toContain("? a25 wants to: file_write");
    await on.type("y");
    await on.press("s", "n");
    expect(toldOf(on, "approvals.decide")).toEqual([]);
    await on.press("C-y");
    expect(on.text()).toContain("Approval a25: may main do this?");
    await on.hear({ type: "approval.decided", id: "a25", state: "approved", decided_by: "cli" });
    await on.press("f7");
    expect(on.text()).toContain("approved, by cli");
    expect(on.text()).not.toContain("C-y shows");
  });

  it("tells that the service has gone, goes on when it is back, and doubles no text", async () => {
    const on = await inTheChat();
    await on.say("hello");
    await on.hear(started, delta("Good d"));
    await on.lose();
    expect(on.text()).toContain("the service is away");
    await on.type("more");
    await on.press("enter");
    expect(on.text()).toContain("your text is kept");
    expect(on.text()).toContain("› more");
    expect(on.said).toHaveLength(1);
    await on.comeBack();
    expect(on.said.map(({ text, idempotency_key }) => [text, idempotency_key])).toEqual([
      ["hello", on.said[0]?.["idempotency_key"]],
      ["hello", on.said[0]?.["idempotency_key"]],
    ]);
    await on.hear(started, delta("Good day"), delta(", friend."), finished("Good day, friend."));
    expect(on.text()).toContain("  Good day, friend.");
    expect(on.text().match(/Good d/g)).toHaveLength(1);
    expect(on.text()).toContain("the answer broke off; it begins again");
    await on.press("enter");
    expect(on.said.at(-1)?.text).toBe("more");
  });

  it("shows once what was answered while nothing could be heard", async () => {
    const on = await inTheChat();
    await on.say("hello");
    await on.hear(started, delta("Good d"));
    await on.lose();
    await on.comeBack();
    await on.hear(finished("Good day."));
    expect(on.text().match(/Good d/g)).toHaveLength(1);
    expect(on.text()).toContain("  Good day.");
  });

  it("shows what was said before, follows the run that works, and what begins elsewhere", async () => {
    const on = await inTheChat({ model: modelOfADay }, [
      stored("user", "hello"),
      stored("assistant", "Good day."),
    ]);
    expect(on.text()).toMatch(/› hello +│\n│🦀 Main +│\n│ {2}Good day\./);
    expect(toldOf(on, "chat.follow")).toMatchObject([{ run: "r7" }]);
    await on.hear(delta("lo"), finished("Hello again."));
    expect(on.text()).toContain("  Hello again.");
    expect(on.text()).not.toContain("  lo");
  });

  it("shows in their order what was said elsewhere meanwhile, and what was answered", async () => {
    const messages = [stored("user", "hello"), stored("assistant", "Good day.")];
    const on = await inTheChat({}, messages);
    const later = "2026-01-05T11:30:00.000Z";
    messages.push(
      { ...stored("user", "from my phone", "r20"), at: later },
      { ...stored("assistant", "I see.", "r20"), at: later },
      { ...stored("user", "and write it down", "r21"), at: later },
    );
    const run = modelOfADay().runs[0] as Results["runs.list"][number];
    const live = { ...run, run_id: "r21", session_id: "s1", started_at: later, ended_at: null };
    on.model.runs = [live, { ...live, run_id: "r20", ended_at: later }];
    on.model.approvals = [
      { ...pendingApproval, session_id: "s1", run_id: "r21", created_at: later },
    ];
    await on.tell("actors.delta", { rows: [], steps: [], dropped: 0 });
    on.tui.changed();
    await on.settled();
    const said = ["Good day.", "› from my phone", "I see.", "› and write it down", "wants to"];
    const places = said.map((text) => on.text().indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(toldOf(on, "chat.follow")).toMatchObject([{ run: "r21" }]);
    on.tui.changed();
    await on.settled();
    expect(on.text().match(/from my phone/g)).toHaveLength(1);
  });

  it("shows a conversation that was begun elsewhere while it was empty here", async () => {
    const later = "2026-01-05T11:30:00.000Z";
    const [session] = modelOfADay().sessions;
    let isThere = false;
    const show = () => {
      if (!isThere) throw new AgentError("session.not_found", "there is none");
      const messages = [{ ...stored("user", "from my phone", "r20"), at: later }];
      return {
        ...session,
        usage,
        forked_from: null,
        shortened: null,
        messages,
      } as Results["sessions.show"];
    };
    const model = () => Object.assign(atRest(), { sessions: [] });
    const on = await inTheChat({ model, answers: { "sessions.show": show } });
    expect(on.text()).not.toContain("from my phone");
    isThere = true;
    const run = modelOfADay().runs[0] as Results["runs.list"][number];
    on.model.sessions = [
      { ...(session as object), key: "local:local:cli:owner:main" } as typeof session & object,
    ];
    on.model.runs = [
      {
        ...run,
        run_id: "r20",
        session_id: session?.session_id ?? "",
        started_at: later,
        ended_at: later,
      },
    ];
    on.tui.changed();
    await on.settled();
    expect(on.text()).toContain("› from my phone");
  });

  it("begins at the newest messages and fetches older ones at the top", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      stored(index % 2 === 0 ? "user" : "assistant", `message ${index}`, `r${index}`),
    );
    const on = await inTheChat({}, many);
    expect(on.text()).toContain("message 999");
    await on.press("pageup");
    expect(on.text()).not.toContain("message 999");
    expect(on.text()).toContain("more below");
    for (let page = 0; page < 20; page += 1) await on.press("pageup");
    expect(on.text()).toMatch(/message 6\d\d/);
    expect(toldOf(on, "sessions.show").length).toBeGreaterThan(1);
    for (let page = 0; page < 60; page += 1) await on.press("pagedown");
    expect(on.text()).toContain("message 999");
    expect(on.text()).not.toContain("more below");
  });

  it("shows a call with all that went in and came out after C-o, as text only", async () => {
    const on = await inTheChat();
    await on.say("go");
    await on.hear(started, writes, wrote("one\ntwo\u001b[31m\nthree"));
    expect(on.text()).toContain("▸ file_write todo.txt  ✓ 3 lines (C-o)");
    await on.press("C-o");
    expect(on.text()).toContain("two\\x1b[31m");
    expect(on.text()).toContain("buy milk\\u001b[2J");
  });

  it("knows the commands of the chat at the command line, and says what it does not know", async () => {
    const on = await inTheChat();
    await on.say("/queue collect");
    await on.say("/session plans");
    await on.say("what now");
    expect(on.said).toMatchObject([{ session: "plans", text: "what now" }]);
    await on.say("/steer be brief");
    expect(on.said[1]).toMatchObject({ text: "be brief", queue: "steer" });
    await on.say("/fly");
    expect(on.rows().at(-2)).toContain("there is no /fly; /help lists");
    expect(on.text()).toContain("› /fly");
    await on.press("C-u");
    await on.say("/help");
    expect(on.text()).toContain("/stop [after]");
  });

  it("is opened by other views with their conversation; one of a channel is only watched", async () => {
    const on = await inTheChat({}, [stored("user", "from afar")]);
    on.tui.go("chat", "telegram:tg_main:42:42:ops");
    await on.settled();
    expect(on.text()).toContain("held elsewhere");
    expect(on.text()).toContain("from afar");
    await on.say("hello");
    expect(on.said).toEqual([]);
    expect(on.text()).toContain("› hello");
  });

  it("says why a message was not taken", async () => {
    const refuse = () => {
      throw new AgentError("agent.disabled", "The agent main is disabled.", { hint: "enable it" });
    };
    const on = await inTheChat({ answers: { "chat.send": refuse } });
    await on.say("hello");
    expect(on.text()).toContain("· The agent main is disabled. (enable it)");
  });
});
