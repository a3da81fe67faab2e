import { toErrorData } from "../../schema/errors.ts";
import type { ShownApproval } from "../../schema/socket/protocol.ts";
import type { CommandContext } from "../command-context.ts";
import { shown } from "../../text/shown.ts";
import { approvalText } from "./approval-text.ts";
import type { ChatPrinter } from "./chat-printer.ts";
import { decisionText } from "../../text/decision-text.ts";
import type { OpenQuestions } from "./open-questions.ts";
import { type Answered, questionPrompt, readAnswer } from "../../client/chat/question.ts";
import type { ServiceLink } from "../../client/service-link.ts";
import {
  callsOf,
  decidedText,
  isStillWhole,
  isWantedAlone,
  isWantedTogether,
  readTogether,
  type Together,
  togetherPrompt,
} from "../../client/chat/together.ts";

export type AskingOptions = {
  readonly questions: OpenQuestions;
  readonly printer: ChatPrinter;
  readonly context: CommandContext;
  readonly link: ServiceLink;
  /** Takes the prompt away before something is shown. */
  readonly makeRoom: () => void;
  readonly fail: (error: unknown) => void;
};

/** What was typed before a question could be read is no answer to it. */
const answersCountAfterMs = 250;
const keepsTheQuestion = new Set(["approval.wrong_answer", "service.not_running"]);
const tooLongText = "(too long together to be read at once: decide them one by one)";

/** Puts the open questions of a chat to its person, one by one or a step's calls together, and gives the answers. */
export class Asking {
  private readonly options: AskingOptions;
  private asked: { readonly id: string; readonly at: number } | undefined;
  /** Of which each was shown, and which one word decides now. */
  private together: Together | undefined;

  constructor(options: AskingOptions) {
    this.options = options;
  }

  /** Shows the question whose turn it is, where it was not shown yet.
   *  @returns its prompt; undefined where nothing is asked */
  present(): string | undefined {
    const { questions, printer, makeRoom } = this.options;
    const question = questions.first;
    if (question === undefined) {
      this.askAlone();
      return undefined;
    }
    if (this.together !== undefined && !isStillWhole(this.together, questions.all)) {
      makeRoom();
      printer.line("(what waits together has changed)");
      this.askAlone();
    }
    if (this.asked?.id !== question.id) {
      makeRoom();
      this.showApproval(question);
      this.asked = { id: question.id, at: performance.now() };
    }
    return this.promptFor(question);
  }

  private promptFor(question: ShownApproval): string {
    if (this.together !== undefined) return togetherPrompt(this.together);
    return questionPrompt(question, this.others(question));
  }

  /** Calls of the same step that wait too. */
  private others({ kind, step_id }: ShownApproval): number {
    return kind === "call"
      ? Math.max(0, callsOf(this.options.questions.all, step_id).length - 1)
      : 0;
  }

  private showApproval(approval: ShownApproval): void {
    const { style, terminal } = this.options.context;
    const width = terminal.stdout.columns;
    this.options.printer.block(approvalText(approval, { style, now: terminal.now(), width }));
  }

  async answer(question: ShownApproval, line: string): Promise<void> {
    const seenFor = performance.now() - (this.asked?.at ?? 0);
    if (seenFor < answersCountAfterMs) return this.options.printer.line(this.notAnAnswer(question));
    if (this.together !== undefined) return this.answerAll(this.together, line);
    if (this.others(question) > 0 && isWantedTogether(line)) return this.showAll(question);
    const answer = readAnswer(question, line);
    if (answer === undefined) return this.options.printer.line(this.notAnAnswer(question));
    this.options.questions.decides(question.id);
    try {
      this.options.printer.line(`· ${await this.give(answer, question)}`);
    } catch (error) {
      return this.notDecided([question], error);
    }
    this.options.questions.drop(question.id);
  }

  /** @returns what holds now */
  private async give({ method, params }: Answered, { binding }: ShownApproval): Promise<string> {
    const { link } = this.options;
    if (method === "approvals.decide")
      return decisionText(await link.call(method, { ...params, binding }), params.scope ?? "once");
    const { id, state } = await link.call(method, { ...params, binding });
    return `${shown(id)} is ${shown(state)}`;
  }

  /** Asks again what is still open, as it is now. */
  private async notDecided(asked: readonly ShownApproval[], error: unknown): Promise<void> {
    this.options.fail(error);
    for (const { id } of asked) this.options.questions.decidesNot(id);
    if (keepsTheQuestion.has(toErrorData(error).code)) return;
    this.asked = undefined;
    try {
      for (const { id } of asked) {
        this.options.questions.drop(id);
        const now = await this.options.link.call("approvals.show", { id });
        if (now.state === "pending") this.options.questions.put(now);
      }
    } catch (again) {
      this.options.fail(again);
    }
  }

  private notAnAnswer({ id }: ShownApproval): string {
    const others = this.options.questions.all.slice(1).map((other) => shown(other.id));
    const behind = others.length === 0 ? "" : `; behind it wait ${others.join(", ")}`;
    return `(no answer that fits ${shown(id)}${behind}; /later leaves it open)`;
  }

  /** Shows what was not shown yet of a step's calls: from now on one word decides them all. */
  private async showAll(first: ShownApproval): Promise<void> {
    try {
      const together = await this.options.link.call("approvals.step", { step: first.step_id });
      if (together.too_long) return this.options.printer.line(tooLongText);
      if (!isStillWhole(together, this.options.questions.all))
        return this.options.printer.line("(what waits together has changed)");
      for (const one of together.approvals) if (one.id !== first.id) this.showApproval(one);
      this.together = together;
      this.asked = { id: first.id, at: performance.now() };
    } catch (error) {
      this.options.fail(error);
    }
  }

  /** The first question is far above by now: it is shown again. */
  private askAlone(): void {
    [this.asked, this.together] = [undefined, undefined];
  }

  private async answerAll(together: Together, line: string): Promise<void> {
    if (isWantedAlone(line)) return this.askAlone();
    const answer = readTogether(together, line);
    if (answer === undefined)
      return this.options.printer.line("(no answer that fits; back asks one by one)");
    this.together = undefined;
    for (const { id } of together.approvals) this.options.questions.decides(id);
    try {
      const decided = await this.options.link.call(answer.method, answer.params);
      for (const text of decidedText(decided)) this.options.printer.line(`· ${text}`);
    } catch (error) {
      return this.notDecided(together.approvals, error);
    }
    for (const { id } of together.approvals) this.options.questions.drop(id);
  }
}
