import { Writable } from "node:stream";
import {
  clearScreenDown,
  createInterface,
  cursorTo,
  type Interface,
  moveCursor,
} from "node:readline";
import type { Output, Terminal } from "../terminal.ts";

export type LineScreenEvents = {
  /** A line, or several that were pasted at once. */
  readonly onLine: (text: string) => void;
  readonly onInterrupt: () => void;
  /** The input has ended (Ctrl-D). */
  readonly onEnd: () => void;
};

/** A terminal with one line of input at its bottom, which is only there while something is asked. What is typed meanwhile
 *  is kept and shows up with the next prompt. */
export class LineScreen {
  private readonly output: Output;
  private readonly gate: Gate;
  private readonly lines: Interface;
  private readonly pasted: string[] = [];
  private readonly isDumb: boolean;
  private draft = "";
  private isQuestion = false;

  constructor({ stdin, stdout, env }: Terminal, events: LineScreenEvents) {
    this.output = stdout;
    this.isDumb = env["TERM"] === "dumb";
    this.gate = new Gate(stdout);
    this.lines = createInterface({ input: stdin, output: this.gate, terminal: true });
    this.lines.on("line", (line) => {
      if (this.pasted.push(line) > 1) return;
      setImmediate(() => events.onLine(this.pasted.splice(0).join("\n")));
    });
    this.lines.on("SIGINT", events.onInterrupt);
    // readline pauses its input when the process is stopped, and leaves it so.
    this.lines.on("SIGCONT", () => this.lines.prompt(true));
    this.lines.on("close", events.onEnd);
  }

  get typed(): string {
    return this.lines.line;
  }

  /** Asks for a line of the person's own. */
  show(prompt: string): void {
    this.leaveQuestion();
    if (this.draft !== "") {
      this.lines.write(this.draft);
      this.draft = "";
    }
    this.ask(prompt);
  }

  /** Asks a question. What was typed before it was seen is kept for later, what is typed now belongs to it alone. */
  showQuestion(prompt: string): void {
    if (!this.isQuestion) {
      this.draft ||= this.typed;
      this.eraseTyped();
      this.isQuestion = true;
    }
    this.ask(prompt);
  }

  hide(): void {
    this.erasePrompt();
    this.gate.isOpen = false;
    this.leaveQuestion();
  }

  eraseTyped(): void {
    this.lines.write(null, { ctrl: true, name: "e" });
    this.lines.write(null, { ctrl: true, name: "u" });
  }

  /** Above the prompt if there is one: then whole lines are wanted. */
  write(text: string): void {
    if (!this.gate.isOpen) return void this.output.write(text);
    this.erasePrompt();
    this.output.write(text.endsWith("\n") ? text : `${text}\n`);
    this.lines.prompt(true);
  }

  close(): void {
    this.lines.removeAllListeners("close");
    this.erasePrompt();
    this.gate.isOpen = false;
    this.lines.close();
  }

  private leaveQuestion(): void {
    if (this.isQuestion) this.eraseTyped();
    this.isQuestion = false;
  }

  private ask(prompt: string): void {
    this.erasePrompt();
    this.gate.isOpen = true;
    this.lines.setPrompt(prompt);
    this.lines.prompt(true);
  }

  private erasePrompt(): void {
    if (!this.gate.isOpen || !this.gate.isDirty) return;
    this.gate.isDirty = false;
    if (this.isDumb) return void this.output.write("\n");
    moveCursor(this.output, 0, -this.lines.getCursorPos().rows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
  }
}

/** Lets readline's echo through only while something is asked. */
class Gate extends Writable {
  isOpen = false;
  /** Whether something of readline's stands in the present line. */
  isDirty = false;
  private readonly target: Output;

  constructor(target: Output) {
    super();
    this.target = target;
    target.on("resize", () => this.emit("resize"));
  }

  get columns(): number {
    return this.target.columns ?? 80;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.isOpen) {
      this.target.write(chunk);
      this.isDirty = !/[\r\n]$/.test(chunk.toString("utf8"));
    }
    done();
  }
}
