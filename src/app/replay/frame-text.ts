import { type ContentBlock, textOf } from "../../schema/llm.ts";
import type { FrameText } from "../../schema/shown/replay.ts";
import { cutText } from "./cut.ts";
import type { ReplayedStep } from "./recorded-run.ts";

/** What an event brought that people want to read: recorded words of persons, models and tools. */

const most = 2_048;

type Told = Pick<FrameText, "kind" | "title"> & { readonly text: string };

export function frameText(step: Pick<ReplayedStep, "row" | "knew">): FrameText | null {
  const told = toldBy(step);
  if (told === undefined) return null;
  const { value, isCut } = cutText(told.text, most);
  return { kind: told.kind, title: cutText(told.title, 200).value, text: value, is_cut: isCut };
}

type Tell = (event: Known, step: Pick<ReplayedStep, "row" | "knew">) => Told | undefined;

/** An event as the journal has it: rows outlive the code that wrote them, so that nothing of it is taken for granted. */
type Known = { readonly [key: string]: unknown };

const tellers: { readonly [type: string]: Tell } = {
  "actor.created": (event, { row }) => ofBirth(known(event["input"]), row.machine),
  "inbox.handed": ({ text }) => ({ kind: "message", title: "user", text: word(text) }),
  "xstate.done.actor.callModel": ({ output }) => ofAnswer(known(output)),
  "xstate.done.actor.executeTool": ({ output }, { knew }) => ({
    kind: known(output)["is_error"] === true ? "error" : "result",
    title: word(known(knew?.["call"])["name"]),
    text: word(known(output)["output"]),
  }),
  "verdict.given": ({ verdict, reason }) => ({
    kind: "verdict",
    title: word(verdict),
    text: word(reason),
  }),
  "approval.decide": ({ decision, by, scope, reason }) => ({
    kind: "decision",
    title: word(by),
    text: [`${word(decision)} for ${word(scope)}`, word(reason)]
      .filter((said) => said !== "")
      .join(": "),
  }),
  "approval.answer": ({ value, by }) => ({ kind: "decision", title: word(by), text: word(value) }),
  "approval.decided": ({ state, answer, decided_by }) => ({
    kind: "decision",
    title: word(decided_by),
    text: [word(state), word(answer)].filter((said) => said !== "").join(": "),
  }),
};

function toldBy(step: Pick<ReplayedStep, "row" | "knew">): Told | undefined {
  const { event, event_type } = step.row;
  const tell = Object.hasOwn(tellers, event_type) ? tellers[event_type] : undefined;
  if (tell !== undefined) return tell(event, step);
  const { code, message } = known(event["error"]);
  if (code === undefined) return undefined;
  return { kind: "error", title: word(code), text: word(message) };
}

function ofBirth(input: Known, machine: string): Told | undefined {
  if (machine === "run") return { kind: "message", title: "user", text: word(input["text"]) };
  if (machine === "tool_call") {
    const { name, input: args } = known(input["call"]);
    return { kind: "call", title: word(name), text: JSON.stringify(args ?? {}) };
  }
  return undefined;
}

function ofAnswer({ content, model }: Known): Told {
  const blocks = (Array.isArray(content) ? content : []) as readonly ContentBlock[];
  const calls = blocks
    .filter((block) => block.type === "tool_use")
    .map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
  const text = [textOf(blocks), ...calls].filter((said) => said !== "").join("\n");
  return { kind: "answer", title: word(model), text };
}

function known(value: unknown): Known {
  return typeof value === "object" && value !== null ? (value as Known) : {};
}

function word(value: unknown): string {
  return typeof value === "string" ? value : "";
}
