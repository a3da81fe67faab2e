import type { ChatEvent } from "../../schema/socket/protocol.ts";
import { formatError } from "../output/format-error.ts";
import { shown } from "../../text/shown.ts";
import type { Style } from "../output/style.ts";
import { duration } from "../../text/times.ts";
import { callText } from "../../text/call-text.ts";
import { troubleOf } from "../../text/trouble.ts";
import { TextStream } from "../../text/text-stream.ts";

export type ChatPrinterOptions = {
  /** What the agent says. */
  readonly say: (text: string) => void;
  /** What happens meanwhile; whole lines or pieces of one. */
  readonly tell: (text: string) => void;
  readonly style: Style;
};

/** Turns what a chat tells into text for a terminal on which both kinds of output meet. */
export class ChatPrinter {
  private readonly options: ChatPrinterOptions;
  private readonly text = new TextStream();
  private readonly calls = new Map<string, string>();
  /** Stands before what the agent says. */
  private label = "";
  private isAtLineStart = true;
  private isSaying = false;
  /** What came of the model's present answer. */
  private answer = "";
  /** The rest of an answer may be lost: what comes next is another attempt at it. */
  private isCut = false;
  /** The call whose line is open: nothing was printed since. */
  private openCall: string | undefined;

  constructor(options: ChatPrinterOptions) {
    this.options = options;
  }

  /** Whose words those are that come from now on. */
  speaksAs(label: string): void {
    if (label === this.label) return;
    this.endLine();
    this.label = label;
  }

  print(event: ChatEvent): void {
    switch (event.type) {
      case "text.delta":
        if (this.isCut) this.reset();
        this.answer += event.text;
        return this.say(this.text.push(event.text));
      case "text.reset":
        return this.reset();
      case "model.retrying":
        return this.line(waitText(event));
      case "history.shortened":
        return this.line(
          "(the conversation is too long for the model: its oldest part is left out from now on)",
        );
      case "tool.started":
        return this.startCall(event);
      case "tool.finished":
        return this.finishCall(event);
      case "message.joined":
        return this.line(`· a message has joined run ${shown(event.run_id)}`);
      case "approval.decided":
        return this.line(
          `· ${shown(event.id)} is ${shown(event.state)}, by ${shown(event.decided_by)}`,
        );
      case "run.finished":
        return this.finish(event);
      default:
        return undefined;
    }
  }

  /** Only what was shown can begin again. */
  private reset(): void {
    if (this.answer !== "") this.line("(the answer broke off; it begins again)");
    this.answer = "";
    this.isCut = false;
  }

  /** The connection was lost; what is told from now on begins where the service stands. */
  resume(): void {
    this.isCut = true;
  }

  /** The answer of a run that ended while nothing could be heard, unless it had been heard whole. */
  sayMissed({ reply, error }: Extract<ChatEvent, { type: "run.finished" }>): void {
    if (reply === null || error !== null || reply.trim() === this.answer.trim()) return;
    this.reset();
    this.say(this.text.push(reply));
  }

  /** A dim line of its own. */
  line(text: string): void {
    this.endLine();
    this.options.tell(`${this.options.style.dim(text)}\n`);
  }

  /** Lines of their own, as they are. */
  block(text: string): void {
    this.endLine();
    this.options.tell(`${text}\n`);
  }

  endLine(): void {
    const rest = this.text.end();
    if (rest !== "") this.say(rest);
    if (this.openCall !== undefined) this.options.tell("\n");
    else if (!this.isAtLineStart) this.options.say("\n");
    this.openCall = undefined;
    this.isAtLineStart = true;
    this.isSaying = false;
  }

  private say(text: string): void {
    if (text === "") return;
    if (!this.isSaying) {
      this.endLine();
      this.isSaying = true;
      this.options.say(this.label);
    }
    this.options.say(text);
    this.isAtLineStart = text.endsWith("\n");
  }

  private startCall({ call_id, tool, input }: Extract<ChatEvent, { type: "tool.started" }>): void {
    const told = callText(tool, input);
    this.calls.set(call_id, told);
    this.answer = "";
    this.endLine();
    this.options.tell(this.options.style.dim(`· ${told} …`));
    this.openCall = call_id;
  }

  private finishCall(event: Extract<ChatEvent, { type: "tool.finished" }>): void {
    const { call_id, tool } = event;
    const told = this.calls.get(call_id) ?? shown(tool);
    const end = endText(event);
    const { style, tell } = this.options;
    if (this.openCall !== call_id) return this.line(`· ${told} … ${end}`);
    tell(`${style.dim(` ${end}`)}\n`);
    this.openCall = undefined;
  }

  private finish({ status, error }: Extract<ChatEvent, { type: "run.finished" }>): void {
    this.endLine();
    this.answer = "";
    this.isCut = false;
    if (status === "cancelled") this.line("(cancelled)");
    else if (error !== null) this.options.tell(`${this.options.style.red(formatError(error))}\n`);
  }
}

/** A call that was done may have told the model an error; a person is not told that all is well. */
function endText({
  status,
  is_error,
  output,
}: Extract<ChatEvent, { type: "tool.finished" }>): string {
  if (!is_error || (status !== "failed" && status !== "done")) return shown(status);
  return `${status === "done" ? "error" : status}: ${shown(output.split("\n")[0])}`;
}

function waitText({ code, wait_ms }: Extract<ChatEvent, { type: "model.retrying" }>): string {
  const seconds = Math.ceil(wait_ms / 1000);
  const wait = seconds < 120 ? `${seconds} s` : duration(wait_ms);
  return `(waits ${wait} for the provider: ${shown(troubleOf(code))})`;
}
