import { age } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { apart, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { LineEditor } from "../widgets/line-editor.ts";
import { ChatConversation } from "./chat-conversation.ts";
import { takeTyped } from "./chat-commands.ts";
import { type Conversation, keyOf } from "./conversation.ts";
import type { Entry } from "./entry.ts";
import { EntryLines } from "./entry-lines.ts";
import { type Blocks, TranscriptWindow } from "./transcript-window.ts";

const mostInputRows = 8;
const promptWidth = 2;

/** A conversation: what was said, what happens, and a field to type into. */
export class ChatPane implements Pane {
  private readonly app: App;
  private readonly held = new Map<string, ChatConversation>();
  private readonly lines = new EntryLines();
  private readonly editor = new LineEditor({ multiline: true });
  private window = new TranscriptWindow<Entry>();
  private conversation: ChatConversation;
  private isExpanded = false;
  private width = 80;

  constructor(app: App) {
    this.app = app;
    this.conversation = this.conversationOf(keyOf({}));
    app.service.onAttached(() => void this.conversation.load());
  }

  get hints(): readonly Hint[] {
    const { isWorking, question } = this.conversation;
    return [
      { keys: own`Enter`, does: isWorking ? own`queue it` : own`send` },
      ...(isWorking ? [{ keys: own`C-s`, does: own`steer the run` }] : []),
      ...(question === undefined ? [] : [{ keys: own`C-y`, does: own`decide` }]),
      ...(isWorking ? [{ keys: own`Esc`, does: own`interrupt` }] : []),
      { keys: own`C-j`, does: own`new line` },
      { keys: own`PgUp`, does: own`scroll` },
      { keys: own`C-o`, does: own`calls whole` },
      { keys: own`/help`, does: own`commands` },
    ];
  }

  /** @param key of a session */
  open(key: string): void {
    this.conversation = this.conversationOf(key);
    this.window = new TranscriptWindow();
    void this.conversation.load();
    this.app.changed();
  }

  title(): SafeText {
    const { agentName, session } = this.conversation;
    return own`chat with ${safe(agentName === "" ? "…" : agentName)} in ${safe(session)}`;
  }

  note(): Line {
    if (!this.window.isAtEnd) return [span(own`↓ more below (PgDn)`, { fg: "yellow" })];
    return [];
  }

  draw(size: Size, isFocused: boolean): Picture {
    this.conversation.notice();
    this.width = size.columns;
    const room = Math.max(1, Math.min(mostInputRows, Math.floor(size.rows / 3)));
    const typed = this.editor.draw(size.columns - promptWidth, room);
    const input = typed.lines.slice(0, room);
    const rows = Math.max(0, size.rows - input.length - 1);
    const shown = this.window.window(this.blocks(), rows);
    const filling: Line[] = Array.from({ length: Math.max(0, rows - shown.length) }, () => []);
    const lines = [
      ...shown,
      ...filling,
      this.stateLine(size.columns),
      ...this.inputLines(input, isFocused),
    ];
    const { cursor } = typed;
    if (cursor === undefined || !isFocused) return { lines };
    return { lines, cursor: { x: cursor.x + promptWidth, y: rows + 1 + cursor.y } };
  }

  key(key: Key): boolean {
    const acts: { readonly [name: string]: () => boolean } = {
      "enter": () => this.send(() => takeTyped(this.chatting(), this.editor.text)),
      "C-s": () => this.send(() => this.conversation.send(this.editor.text, "steer")),
      "escape": () => this.interrupt(),
      "C-y": () => this.decide(),
      "C-o": () => this.expand(),
      "pageup": () => this.pageUp(),
      "pagedown": () => this.pageDown(),
    };
    const act = Object.hasOwn(acts, key.name) ? acts[key.name] : undefined;
    return act === undefined ? this.editor.key(key) : act();
  }

  paste(text: string): void {
    this.editor.paste(text);
  }

  isTyping(): boolean {
    return true;
  }

  shown(): void {
    void this.conversation.load();
  }

  private conversationOf(key: string): ChatConversation {
    const known = this.held.get(key) ?? new ChatConversation(this.app, key);
    this.held.set(key, known);
    return known;
  }

  private chatting() {
    const { app, conversation } = this;
    return { app, conversation, open: (to: Partial<Conversation>) => this.open(keyOf(to)) };
  }

  /** What was not sent stays in the field. */
  private send(sends: () => boolean): true {
    if (this.editor.text.trim() === "" || !sends()) return true;
    this.editor.take();
    this.window.toEnd();
    return true;
  }

  private interrupt(): boolean {
    if (this.conversation.isWorking) void this.conversation.cancel();
    else if (this.editor.text === "") return false;
    else this.editor.take();
    return true;
  }

  private decide(): true {
    const { question } = this.conversation;
    if (question === undefined) this.app.say(own`nothing in this conversation waits for you`);
    else this.app.go("approvals", question.id);
    return true;
  }

  private expand(): true {
    this.isExpanded = !this.isExpanded;
    return true;
  }

  private pageUp(): true {
    if (!this.window.pageUp(this.blocks())) void this.conversation.loadOlder();
    return true;
  }

  private pageDown(): true {
    this.window.pageDown(this.blocks());
    return true;
  }

  private blocks(): Blocks<Entry> {
    const all = this.narrowed(this.conversation.transcript.entries);
    const look = { width: this.width, isExpanded: this.isExpanded };
    return {
      all,
      lines: (index) => {
        const entry = all[index];
        if (entry === undefined) return [];
        return [...this.leadOf(all, index), ...this.lines.of(entry, look)];
      },
    };
  }

  private narrowed(entries: readonly Entry[]): readonly Entry[] {
    const { model, trace } = this.app;
    if (trace === undefined) return entries;
    const ofTrace = model.runs.filter(({ trace_id }) => trace_id === trace);
    const runs = new Set(ofTrace.map(({ run_id }) => run_id));
    return entries.filter(({ run }) => run !== undefined && runs.has(run));
  }

  /** Who speaks, where that is another than before. */
  private leadOf(all: readonly Entry[], index: number): Line[] {
    const entry = all[index];
    const before = all[index - 1];
    if (entry?.kind === "said") return before === undefined || before.kind === "said" ? [] : [[]];
    if (entry === undefined || entry.kind === "note") return [];
    let at = index - 1;
    while (all[at]?.kind === "note") at -= 1;
    const last = all[at];
    if (last !== undefined && last.kind !== "said") return [];
    const name =
      entry.kind === "answer" ? this.conversation.nameOf(entry.agent) : this.conversation.agentName;
    return [line(own`${safe(name)}`, { bold: true, fg: "green" })];
  }

  private stateLine(columns: number): Line {
    const { conversation, app } = this;
    const { question, transcript, place, isWorking, queue } = conversation;
    const grey = { fg: "grey" } as const;
    const mode = queue === undefined ? [] : [span(own`queue: ${safe(queue)} `, grey)];
    const says = (text: SafeText, fg: "red" | "yellow" | "cyan") =>
      apart([span(own`── ${text} `, { fg })], mode, columns);
    if (app.model.detachedAt !== null)
      return says(
        own`the service is away: what you type is kept here, what runs goes on later`,
        "red",
      );
    if (place === undefined) return says(own`held elsewhere: it can be watched here`, "yellow");
    if (question !== undefined)
      return says(
        own`${safe(question.id)} waits for you: C-y shows it and takes your answer`,
        "yellow",
      );
    if (isWorking) {
      const since = transcript.run?.since;
      const took =
        since === undefined ? "" : ` for ${age(new Date(since).toISOString(), app.timers.now())}`;
      return says(own`works${safe(took)}: C-s steers, Esc interrupts`, "cyan");
    }
    return apart([span(own`── `, grey)], mode, columns);
  }

  private inputLines(typed: readonly Line[], isFocused: boolean): Line[] {
    const prompt = span(own`› `, isFocused ? { bold: true, fg: "cyan" } : { fg: "grey" });
    if (this.editor.text === "")
      return [
        [prompt, span(own`say something; Enter sends, /help lists the commands`, { fg: "grey" })],
      ];
    return typed.map((row, index): Line => [index === 0 ? prompt : span(own`  `), ...row]);
  }
}
