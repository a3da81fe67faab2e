import { callsOf } from "../../client/chat/together.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank, line } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";
import { typeAnswer } from "./answering.ts";
import { Deciding, type Word } from "./deciding.ts";
import { belowLine, keysLines } from "./key-row.ts";
import { questionLines } from "./question-lines.ts";
import { isReadable, Sight, tooSoon } from "./sight.ts";
import { TogetherOverlay } from "./together-overlay.ts";
import { denyWithReason, pickWord } from "./wider-words.ts";

export type Listed = {
  readonly chosen: ShownApproval | undefined;
  readonly rows: readonly ShownApproval[];
};

/** One question, whole, and the keys that answer it: only what could be read can be answered, and what was read is what the
 *  answer is bound to. */
export class QuestionPane implements Pane {
  private readonly app: App;
  private readonly deciding: Deciding;
  private readonly sight: Sight;
  private readonly scroll = new Scroll();
  private readonly list: () => Listed;
  private scrolled: string | undefined;
  private lineCount = 0;
  private isTooSmall = false;

  constructor(app: App, list: () => Listed) {
    this.app = app;
    this.list = list;
    this.deciding = new Deciding(app);
    this.sight = new Sight(app.timers);
  }

  get hints(): readonly Hint[] {
    return [...this.answerHints(), { keys: own`PgUp PgDn`, does: own`scroll the question` }];
  }

  title(): SafeText {
    const { chosen, rows } = this.list();
    if (chosen === undefined || rows.length < 2) return own`what is asked`;
    return own`what is asked: ${rows.indexOf(chosen) + 1} of ${rows.length} (↑↓)`;
  }

  draw(size: Size): Picture {
    const asked = this.list().chosen;
    if (asked === undefined) {
      this.sight.lose();
      return { lines: [line(own`When an agent needs your word, it stands here.`, { fg: "grey" })] };
    }
    this.look(asked, size);
    const lines = questionLines(asked, this.reading(asked, size.columns));
    this.lineCount = lines.length;
    const keys = this.keys(size.columns);
    const rows = Math.max(1, size.rows - keys.length - 1);
    const shown = this.scroll.window(lines, { columns: size.columns, rows });
    const filling = Array.from({ length: rows - shown.length }, () => blank);
    const below = belowLine(this.scroll.below(lines.length));
    return { lines: [...shown, ...filling, below, ...keys] };
  }

  key(key: Key): boolean {
    return this.answerKey(key) || this.scrollKey(key) || this.scroll.key(key, this.lineCount);
  }

  /** Those that scroll it from the list too. */
  scrollKey(key: Key): boolean {
    return ["pageup", "pagedown"].includes(key.name) && this.scroll.key(key, this.lineCount);
  }

  /** @returns whether it was a key that answers, or would if the question could have been read */
  answerKey({ name }: Key): boolean {
    const asked = this.list().chosen;
    if (asked === undefined) return false;
    const answers = asked.kind === "call" ? this.callKeys(asked) : this.otherKeys(asked);
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (answer === undefined) return false;
    if (!this.app.isInSight(this)) this.app.say(own`Tab shows the question: read it first`);
    else if (this.isTooSmall) this.app.say(own`enlarge the window: the question must be readable`);
    else if (!this.sight.hasRead(shownAs(asked))) this.app.say(tooSoon);
    else if (!this.deciding.isUnderWay) answer();
    return true;
  }

  /** The person goes on to another question, and expects it. @returns false: the key does more */
  goOn(): boolean {
    this.sight.lose();
    return false;
  }

  painted(): void {
    this.sight.painted();
  }

  trace(): string | undefined {
    return this.list().chosen?.trace_id;
  }

  shown(): void {
    this.sight.lose();
  }

  /** What is shown anew begins at its first line. */
  private look(asked: ShownApproval, size: Size): void {
    const what = shownAs(asked);
    if (what !== this.scrolled) this.scroll.toStart();
    this.scrolled = what;
    this.isTooSmall = !isReadable(size);
    if (this.app.isInSight(this) && !this.isTooSmall) this.sight.see(what);
    else this.sight.lose();
  }

  private callKeys(asked: ShownApproval): { readonly [key: string]: () => void } {
    const say = (word: Word) => void this.deciding.decide(asked, word);
    return {
      y: () => say({ decision: "approve" }),
      s: () => this.allowForSession(asked, say),
      n: () => say({ decision: "deny" }),
      f: () => denyWithReason(this.app, asked, say),
      m: () => pickWord(this.app, asked, say),
      a: () => void this.askTogether(asked),
    };
  }

  private otherKeys(asked: ShownApproval): { readonly [key: string]: () => void } {
    const type = () =>
      typeAnswer(this.app, asked, (value) => void this.deciding.answer(asked, value));
    return { y: type, enter: type };
  }

  private allowForSession({ proposed_grants }: ShownApproval, say: (word: Word) => void): void {
    if (proposed_grants.length > 0) say({ decision: "approve", scope: "session" });
    else this.app.say(own`this call can only be allowed once: y`);
  }

  private async askTogether({ step_id: step }: ShownApproval): Promise<void> {
    if (this.others() === 0) return this.app.say(own`no other call of this step waits`);
    const together = await this.app.ask("approvals.step", { step });
    if (together === undefined) return;
    if (together.too_long)
      return this.app.say(own`too long together to be read at once: decide them one by one`);
    this.app.open(
      new TogetherOverlay(
        this.app,
        together,
        (word) => void this.deciding.decideTogether(together, word),
      ),
    );
  }

  /** Calls of the same step that wait too. */
  private others(): number {
    const asked = this.list().chosen;
    if (asked?.kind !== "call") return 0;
    return Math.max(0, callsOf(this.app.model.approvals, asked.step_id).length - 1);
  }

  private keys(width: number): Line[] {
    if (this.deciding.isUnderWay) return [line(own` deciding …`, { fg: "yellow" })];
    return keysLines(this.answerHints(), width);
  }

  private answerHints(): Hint[] {
    const asked = this.list().chosen;
    if (asked === undefined) return [];
    if (asked.kind !== "call") return [{ keys: own`Enter`, does: own`answer` }];
    const others = this.others();
    return [
      { keys: own`y`, does: own`allow once` },
      ...(asked.proposed_grants.length === 0
        ? []
        : [{ keys: own`s`, does: own`for this session` }]),
      { keys: own`n`, does: own`deny` },
      { keys: own`f`, does: own`deny, say why` },
      ...(others === 0 ? [] : [{ keys: own`a`, does: own`with ${others} more` }]),
      { keys: own`m`, does: own`more` },
    ];
  }

  private reading({ session_id }: ShownApproval, width: number) {
    const session = this.app.model.sessions.find((one) => one.session_id === session_id);
    const conversation = session === undefined ? undefined : safe(session.label);
    return { now: this.app.timers.now(), width, conversation };
  }
}

/** Another call, or the same one asking something else, is to be read anew. */
function shownAs({ id, binding }: ShownApproval): string {
  return `${id} ${binding}`;
}
