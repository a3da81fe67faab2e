import type { ChatEvent, ShownApproval } from "../../schema/socket/protocol.ts";
import { spent } from "../../text/amounts.ts";
import { duration } from "../../text/times.ts";
import { troubleOf } from "../../text/trouble.ts";
import {
  type Answer,
  answer,
  call,
  type Entry,
  note,
  type Question,
  question,
  said,
  type Said,
} from "./entry.ts";

type Finished = Extract<ChatEvent, { type: "run.finished" }>;

export type Hearing = { readonly agent: string; readonly now: number };

/** A conversation as it is shown: what was stored, and what is heard. */
export class Transcript {
  entries: Entry[] = [];
  /** The run that works, and since when it is heard; undefined while none does. */
  run: { readonly id: string; readonly since: number } | undefined;
  private growing: Answer | undefined;
  /** The rest of an answer may be lost: what comes next is another attempt at it. */
  private isCut = false;
  /** A part of the present answer may not have been heard. */
  private isTorn = false;

  replace(entries: Entry[]): void {
    this.entries = entries;
    this.growing = undefined;
  }

  prepend(older: readonly Entry[]): void {
    this.entries = [...older, ...this.entries];
  }

  append(newer: readonly Entry[]): void {
    this.entries = [...this.entries, ...newer];
    this.growing = undefined;
  }

  say(text: string): Said {
    const entry = said(text);
    this.add(entry);
    return entry;
  }

  note(text: string, mood: "plain" | "bad" = "plain"): void {
    this.add(note(text, mood));
  }

  /** Some of what comes was perhaps not heard. */
  resume(): void {
    this.isCut = true;
    this.isTorn = true;
  }

  /** Those that wait, oldest first. */
  get questions(): ShownApproval[] {
    return this.entries.flatMap((entry) =>
      entry.kind === "question" && entry.decided === null ? [entry.approval] : [],
    );
  }

  /** Shown once, whoever tells of it. */
  ask(approval: ShownApproval): void {
    if (this.questionOf(approval.id) === undefined) this.add(question(approval));
  }

  decided(id: string, how: string): void {
    const asked = this.questionOf(id);
    if (asked === undefined || asked.decided === how) return;
    asked.decided = how;
    asked.version += 1;
  }

  hear(event: ChatEvent, { agent, now }: Hearing): void {
    switch (event.type) {
      case "run.started":
      case "message.joined":
        return this.start(event.run_id, now);
      case "text.delta":
        return this.grow(agent, event.text);
      case "text.reset":
        this.isTorn = false;
        return this.begin();
      case "model.retrying":
        return this.note(waitText(event));
      case "history.shortened":
        return this.note("the conversation is too long for the model: its oldest part is left out");
      case "tool.started":
        return this.startCall(event);
      case "tool.finished":
        return this.finishCall(event);
      case "approval.opened":
        return this.ask(event.approval);
      case "approval.decided":
        return this.decided(event.id, `${event.state}, by ${event.decided_by}`);
      case "run.finished":
        return this.finish(event, { agent, now });
    }
  }

  private start(id: string, now: number): void {
    if (this.run?.id !== id) this.run = { id, since: now };
    for (const entry of this.entries.toReversed()) {
      if (entry.run !== undefined) break;
      entry.run = id;
    }
  }

  private add(entry: Entry): void {
    if (this.run !== undefined) entry.run = this.run.id;
    this.entries.push(entry);
  }

  private grow(agent: string, text: string): void {
    if (this.isCut) this.begin();
    if (this.growing === undefined) {
      this.growing = answer(agent, "");
      this.add(this.growing);
    }
    this.growing.text += text;
    this.growing.version += 1;
  }

  /** A new attempt at the present answer. */
  private begin(): void {
    const { growing } = this;
    this.growing = undefined;
    this.isCut = false;
    if (growing === undefined) return;
    this.entries = this.entries.filter((entry) => entry !== growing);
    if (growing.text !== "") this.note("the answer broke off; it begins again");
  }

  private startCall({
    call_id: id,
    tool,
    input,
  }: Extract<ChatEvent, { type: "tool.started" }>): void {
    this.growing = undefined;
    this.isTorn = false;
    if (
      !this.entries.some(
        (entry) => entry.kind === "call" && entry.id === id && entry.status === null,
      )
    )
      this.add(call({ id, tool, input }));
  }

  private finishCall(event: Extract<ChatEvent, { type: "tool.finished" }>): void {
    const { call_id: id, tool, status, output, is_error: isError } = event;
    let begun = this.entries.findLast((entry) => entry.kind === "call" && entry.id === id);
    if (begun?.kind !== "call") {
      begun = call({ id, tool, input: {} });
      this.add(begun);
    }
    Object.assign(begun, { status, output, isError, version: begun.version + 1 });
  }

  /** Its reply is whole, whatever was heard of it. */
  private finish(event: Finished, { agent, now }: Hearing): void {
    const { status, reply, error, usage } = event;
    if (error === null && reply !== null && this.isTorn) this.mend(agent, reply);
    this.growing = undefined;
    [this.isCut, this.isTorn] = [false, false];
    const took = this.run === undefined ? "" : ` in ${duration(now - this.run.since)}`;
    const hint = error?.hint === undefined ? "" : ` ${error.hint}`;
    if (error === null) this.note(`${status}${took}: ${spent(usage)}`);
    else this.note(`${status}${took}: ${error.message}${hint}`, "bad");
    this.run = undefined;
  }

  private mend(agent: string, reply: string): void {
    if (this.growing === undefined) {
      const last = this.entries.findLast(({ kind }) => kind === "answer" || kind === "said");
      const isThere = last?.kind === "answer" && last.text.trim() === reply.trim();
      if (!isThere && reply !== "") this.add(answer(agent, reply));
    } else if (this.growing.text.trim() !== reply.trim()) rewrite(this.growing, reply);
  }

  private questionOf(id: string): Question | undefined {
    return this.entries.find(
      (entry): entry is Question => entry.kind === "question" && entry.approval.id === id,
    );
  }
}

function rewrite(entry: Answer, text: string): void {
  entry.text = text;
  entry.begun += 1;
  entry.version += 1;
}

function waitText({ code, wait_ms }: Extract<ChatEvent, { type: "model.retrying" }>): string {
  return `waits ${duration(Math.max(1_000, wait_ms))} for the provider: ${troubleOf(code)}`;
}
