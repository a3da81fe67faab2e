import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatPrinter } from "../../src/cli/chat/chat-printer.ts";
import { questionPrompt, readAnswer } from "../../src/client/chat/question.ts";
import { TextStream } from "../../src/text/text-stream.ts";
import { plainStyle } from "../../src/cli/output/style.ts";
import { cleanText } from "../../src/text/clean-text.ts";
import type { ChatEvent } from "../../src/schema/socket/protocol.ts";
import { finished, sampleApproval, sampleQuestion, started } from "./support/samples.ts";

function printed(...events: readonly ChatEvent[]): string {
  let text = "";
  const add = (piece: string) => void (text += piece);
  const printer = new ChatPrinter({ say: add, tell: add, style: plainStyle });
  printer.speaksAs("main: ");
  for (const event of events) printer.print(event);
  return text;
}

const delta = (text: string): ChatEvent => ({ type: "text.delta", text });
const call = (call_id: string, path: string): ChatEvent => ({
  type: "tool.started",
  call_id,
  tool: "file_read",
  input: { path },
});
const ended = (call_id: string, status: string, output = ""): ChatEvent => ({
  type: "tool.finished",
  call_id,
  tool: "file_read",
  status,
  output,
  is_error: status !== "done",
});

describe("a chat on a terminal", () => {
  it("streams text and shows each call on one line", () => {
    const events = [
      started,
      delta("Let me "),
      delta("look."),
      call("c1", "a.txt"),
      ended("c1", "done"),
    ];
    expect(printed(...events, delta("It is empty."), finished("done"))).toBe(
      "main: Let me look.\n· file_read a.txt … done\nmain: It is empty.\n",
    );
  });

  it("tells the error of a call that was done, in its first line", () => {
    const refused = { ...ended("c1", "done", "file.not_found: no\nmore"), is_error: true } as const;
    expect(printed(call("c1", "a"), refused)).toBe("· file_read a … error: file.not_found: no\n");
  });

  it("tells calls that end out of order on lines of their own", () => {
    const events = [
      call("c1", "a"),
      call("c2", "b"),
      ended("c1", "failed", "file.not_found: no\nmore"),
      ended("c2", "denied"),
    ];
    expect(printed(...events)).toBe(
      "· file_read a …\n· file_read b …\n· file_read a … failed: file.not_found: no\n· file_read b … denied\n",
    );
  });

  it("begins a new line when the answer begins again", () => {
    const retry: ChatEvent = { type: "model.retrying", code: "model.overloaded", wait_ms: 2000 };
    expect(
      printed(delta("Hal"), { type: "text.reset" }, retry, delta("Hello"), finished("done")),
    ).toBe(
      "main: Hal\n(the answer broke off; it begins again)\n(waits 2 s for the provider: overloaded)\nmain: Hello\n",
    );
  });

  it("says why a run failed and what to do", () => {
    const error = {
      code: "model.auth" as const,
      message: "The key was refused.",
      retryable: false,
      hint: "check it",
    };
    expect(printed(delta("x"), finished("failed", { error }))).toBe(
      "main: x\nstatehive: The key was refused.\n  check it\n",
    );
    expect(printed(finished("cancelled"))).toBe("(cancelled)\n");
  });

  it("obeys no escape of the model, of a tool's input or of its output", () => {
    const nasty = "\u001b]52;c;x\u0007\u009b2J\u202e";
    const text = printed(
      delta(nasty),
      call("c1", nasty),
      ended("c1", "failed", nasty),
      finished("done"),
    );
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});

describe("text that comes in pieces", () => {
  it("keeps an emoji whole that was cut, and holds nothing else back", () => {
    const stream = new TextStream();
    expect([
      stream.push("Hi 👩"),
      stream.push("\u200d"),
      stream.push("🚀 there"),
      stream.end(),
    ]).toEqual(["Hi ", "", "👩\u200d🚀 there", ""]);
  });

  it("is cleaned as if it had come at once, wherever it was cut", () => {
    const unit = fc.constantFrom("a", "é", "👩\u200d🚀", "\u001b", "\u202e", "\n", "日", "1", "👍🏽");
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 20 }),
        fc.array(fc.nat(40), { maxLength: 6 }),
        (units, cuts) => {
          const text = units.join("");
          const stream = new TextStream();
          const places = [
            0,
            ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b),
            text.length,
          ];
          const pieces = places
            .slice(1)
            .map((end, index) => stream.push(text.slice(places[index], end)));
          expect([...pieces, stream.end()].join("")).toBe(cleanText(text, { multiline: true }));
        },
      ),
    );
  });
});

describe("the answer to an approval", () => {
  const decide = (line: string) => readAnswer(sampleApproval, line)?.params;

  it("is once, session or deny, or their first letter", () => {
    const once = { id: "a7", decision: "approve", scope: "once" };
    expect([decide("o"), decide(" Once ")]).toEqual([once, once]);
    expect(decide("session")).toEqual({ id: "a7", decision: "approve", scope: "session" });
    expect(decide("d")).toEqual({ id: "a7", decision: "deny" });
  });

  it("says by word how far it reaches", () => {
    expect(decide("task")).toEqual({ id: "a7", decision: "approve", scope: "task" });
    expect(decide("Run")).toEqual({ id: "a7", decision: "approve", scope: "run" });
    expect(decide("deny for the run")).toEqual({ id: "a7", decision: "deny", scope: "run" });
    expect(decide("d for this session: not here")).toEqual({
      id: "a7",
      decision: "deny",
      scope: "session",
      reason: "not here",
    });
    expect(decide("deny for the runway is closed")).toEqual({
      id: "a7",
      decision: "deny",
      reason: "for the runway is closed",
    });
  });

  it("can be a denial with its reason", () => {
    const denied = { id: "a7", decision: "deny", reason: "Not now, please" };
    expect([decide("d Not now, please"), decide("deny: Not now, please")]).toEqual([
      denied,
      denied,
    ]);
    expect(decide("don't")).toBeUndefined();
  });

  it.each(["", "y", "yes", "1", "approve", "o\no", "once please", "on"])("is not %j", (line) => {
    expect(decide(line)).toBeUndefined();
  });

  it("cannot be session where nothing can be granted", () => {
    const narrow = { ...sampleApproval, proposed_grants: [] };
    expect(readAnswer(narrow, "s")).toBeUndefined();
    expect(questionPrompt(narrow)).toBe("[o]nce / [d]eny [reason]: ");
    expect(questionPrompt(sampleApproval)).toBe("[o]nce / [s]ession / [d]eny [reason]: ");
  });
});

describe("the answer to a question", () => {
  it("is an option's number or any text", () => {
    expect(readAnswer(sampleQuestion, "2")?.params).toEqual({ id: "a9", value: "blue" });
    expect(readAnswer(sampleQuestion, "3")?.params).toEqual({ id: "a9", value: "3" });
    expect(readAnswer(sampleQuestion, " green ")?.params).toEqual({ id: "a9", value: "green" });
  });

  it("about an outcome is one of its options", () => {
    const outcome = {
      ...sampleQuestion,
      kind: "outcome" as const,
      options: ["retry", "skip", "done"],
    };
    expect(questionPrompt(outcome)).toBe("retry / skip / done: ");
    expect(readAnswer(outcome, "Skip")?.params).toEqual({ id: "a9", value: "skip" });
    expect(readAnswer(outcome, "r")?.params).toEqual({ id: "a9", value: "retry" });
    expect(readAnswer(outcome, "maybe")).toBeUndefined();
  });
});
