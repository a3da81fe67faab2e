import { AgentError } from "../../schema/errors.ts";
import type { ChatEvent, Results } from "../../schema/socket/protocol.ts";
import type { ShownAgent } from "../../schema/shown/shown.ts";
import { statusText } from "../commands/status.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatError } from "../output/format-error.ts";
import { shown } from "../../text/shown.ts";
import { Asking } from "./asking.ts";
import { ChatPrinter } from "./chat-printer.ts";
import type { ChatTarget } from "../../client/chat/follow-chat.ts";
import { Talks, type Told } from "../../client/chat/talks.ts";
import { queuedMessage, waitsFor } from "../../text/queue-text.ts";
import { Speakers } from "./speakers.ts";
import type { LineScreen } from "./line-screen.ts";
import { OpenQuestions } from "./open-questions.ts";
import type { ServiceLink } from "../../client/service-link.ts";

export type LineChatOptions = {
  readonly context: CommandContext;
  readonly link: ServiceLink;
  readonly screen: LineScreen;
  readonly target: ChatTarget;
  /** Who answers as the chat begins. */
  readonly agent: ShownAgent;
  readonly leave: (exitCode: number) => void;
};

const ownPrompt = "you: ";

const help = `/help           this list
/status         what runs and what waits
/approvals      ask me everything that waits for a decision
/later          leave the present question open
/stop           cancel the present run (Ctrl-C)
/stop after     let its present step end, then stop
/steer TEXT     the present run hears TEXT before its next step
/interrupt TEXT the present run is cancelled, TEXT goes first
/collect TEXT   TEXT is answered together with others that wait
/follow_up TEXT TEXT waits its turn
/quit           leave (Ctrl-D); what runs goes on`;

/** A conversation by lines: messages, commands, and answers to what is asked. */
export class LineChat {
  private readonly options: LineChatOptions;
  private readonly printer: ChatPrinter;
  private readonly speakers: Speakers;
  private readonly questions = new OpenQuestions();
  private readonly talks: Talks;
  private readonly asking: Asking;
  private working = 0;
  private runId: string | undefined;
  private sessionId = "";
  private interrupts = 0;

  constructor(options: LineChatOptions) {
    this.options = options;
    const { screen, context } = options;
    const write = (text: string) => screen.write(text);
    this.printer = new ChatPrinter({ say: write, tell: write, style: context.style });
    this.speakers = new Speakers(options.agent, () => options.link.call("agents.list", {}));
    this.talks = new Talks({
      link: options.link,
      onBegin: ({ agent, isAgain }) => {
        if (isAgain) this.printer.resume();
        return this.speakers.meet(agent);
      },
      onEvent: (event, told) => this.hear(event, told),
    });
    this.asking = new Asking({
      questions: this.questions,
      printer: this.printer,
      context,
      link: options.link,
      makeRoom: () => screen.hide(),
      fail: (error) => this.fail(error),
    });
  }

  get isWorking(): boolean {
    return this.working > 0;
  }

  /** Puts the prompt that fits the moment: the open question, one's own, or none while something works. */
  refresh(): void {
    const { screen, context } = this.options;
    const question = this.asking.present();
    if (question !== undefined) return screen.showQuestion(context.style.yellow(question));
    const canTalk = !this.isWorking || this.questions.hasPostponed;
    return canTalk ? screen.show(context.style.bold(ownPrompt)) : screen.hide();
  }

  async take(line: string): Promise<void> {
    this.interrupts = 0;
    this.options.screen.hide();
    const said = line.trim();
    const question = this.questions.first;
    const queued = queuedMessage(line);
    if (queued !== undefined && queued.text !== "") return this.send(queued.text, queued.queue);
    if (queued !== undefined) this.printer.line(`Say what: /${queued.queue} TEXT`);
    else if (said.startsWith("/")) await this.command(said);
    else if (said !== "" && question !== undefined) await this.asking.answer(question, line);
    else if (said !== "") return this.send(line);
    this.refresh();
  }

  /** Ctrl-C: the first one cancels what works or what was typed, the second one leaves. */
  async interrupt(): Promise<void> {
    this.interrupts += 1;
    if (this.interrupts > 1) return this.options.leave(exitCodes.interrupted);
    if (this.isWorking || this.questions.first !== undefined) {
      this.printer.line("(cancelling; Ctrl-C again leaves)");
      await this.cancel();
      return this.refresh();
    }
    if (this.options.screen.typed !== "") {
      this.interrupts = 0;
      this.options.screen.eraseTyped();
    } else this.options.screen.write("(Ctrl-C again leaves)");
  }

  /** Where the service goes away, what was said is kept, and what runs goes on when it is back. */
  lost(): void {
    this.printer.line(
      "(the service has gone away; this chat goes on when it is back, Ctrl-D leaves)",
    );
    this.refresh();
  }

  /** Asks what was asked meanwhile, and no longer what was decided meanwhile. */
  async back(): Promise<void> {
    this.printer.line("(the service is back)");
    try {
      await this.speakers.refresh();
      const open = await this.options.link.call("approvals.list", {});
      const decided = this.questions.all.filter(({ id }) => !open.some((one) => one.id === id));
      for (const { id } of decided) this.questions.drop(id);
      for (const approval of open)
        if (this.talks.hears(approval.run_id) && !this.questions.isPostponed(approval.id))
          this.questions.put(approval);
    } catch (error) {
      this.fail(error);
    }
    this.refresh();
  }

  /** Follows a message until its run has ended. */
  private async send(text: string, queue = this.options.target.queue): Promise<void> {
    const { link, target } = this.options;
    const echo = this.isWorking ? `you: ${shown(text)} ` : "";
    if (!link.isUp) this.printer.line("(kept; it is sent when the service is back)");
    await this.whileWorking(() =>
      this.talks.send(text, { ...target, queue }, (accepted) => {
        this.sessionId = accepted.session_id;
        this.tellAccepted(accepted, echo);
      }),
    );
  }

  private tellAccepted(accepted: Results["chat.send"], echo: string): void {
    if (accepted.queued) this.printer.line(`${echo}(${waitsFor[accepted.queue]})`);
    if (accepted.waiting_for.length > 0)
      this.printer.line("(your message waits: this comes first; /stop cancels it)");
    for (const approval of accepted.waiting_for) this.questions.put(approval);
    this.refresh();
  }

  private async whileWorking(work: () => Promise<void>): Promise<void> {
    this.working += 1;
    this.refresh();
    try {
      await work();
    } catch (error) {
      this.fail(error);
    } finally {
      this.working -= 1;
      this.interrupts = 0;
      this.refresh();
    }
  }

  private hear(event: ChatEvent, { agent, isAgain }: Told): void {
    this.printer.speaksAs(this.options.context.style.cyan(`${this.speakers.nameOf(agent)}: `));
    if (isAgain && event.type === "run.finished") this.printer.sayMissed(event);
    if (event.type === "run.started" || event.type === "message.joined") this.runId = event.run_id;
    if (event.type === "run.finished") this.runId = undefined;
    if (event.type === "approval.opened") this.questions.put(event.approval);
    if (event.type === "approval.decided") this.questions.drop(event.id);
    if (event.type === "approval.decided" && this.questions.isDecidedHere(event.id)) return;
    this.printer.print(event);
    if (event.type.startsWith("approval.")) this.refresh();
  }

  private async command(said: string): Promise<void> {
    const [name = "", ...words] = said.split(/\s+/);
    const more = words.join(" ");
    const commands: { readonly [name: string]: () => Promise<void> | void } = {
      "/help": () => this.printer.block(help),
      "/status": () => this.status(),
      "/approvals": () => this.approvals(),
      "/later": () => this.postpone(),
      "/stop": () => this.cancel(more === "after"),
      "/cancel": () => this.cancel(),
      "/quit": () => this.options.leave(exitCodes.ok),
    };
    const command = commands[name];
    if (command === undefined)
      return this.printer.line(`There is no ${shown(name)}; /help lists what there is.`);
    if (more !== "" && said !== "/stop after")
      return this.printer.line(
        `${shown(name)} does not take ${shown(more)}; /help says what there is.`,
      );
    try {
      await command();
    } catch (error) {
      this.fail(error);
    }
  }

  private postpone(): void {
    const question = this.questions.postponeFirst();
    if (question === undefined) return this.printer.line("Nothing is asked.");
    this.printer.line(`· ${shown(question.id)} stays open; /approvals asks again`);
  }

  private async status(): Promise<void> {
    const { link, context } = this.options;
    const found = await link.call("status", {});
    this.printer.block(statusText(found, { style: context.style, now: context.terminal.now() }));
  }

  private async approvals(): Promise<void> {
    const open = await this.options.link.call("approvals.list", {});
    if (open.length === 0) this.printer.line("Nothing waits for you.");
    for (const approval of open) {
      this.questions.put(approval);
      if (!this.talks.hears(approval.run_id))
        void this.whileWorking(() => this.talks.follow(approval.run_id));
    }
  }

  private async cancel(afterStep = false): Promise<void> {
    const id = this.runId ?? this.questions.first?.run_id ?? (await this.presentRun());
    if (id === undefined) return this.printer.line("Nothing runs here.");
    try {
      const after_step = afterStep ? { after_step: true } : {};
      await this.options.link.call("runs.cancel", { id, ...after_step });
    } catch (error) {
      return this.fail(error);
    }
    if (afterStep) this.printer.line("(stops after this step)");
    for (const question of this.questions.all.filter(({ run_id }) => run_id === id))
      this.questions.drop(question.id);
  }

  /** The run that holds up a message which has no run yet. */
  private async presentRun(): Promise<string | undefined> {
    const runs = await this.options.link.call("runs.list", { limit: 50 });
    return runs.find((run) => run.session_id === this.sessionId && run.ended_at === null)?.run_id;
  }

  private fail(thrown: unknown): void {
    const error =
      thrown instanceof AgentError ? thrown : new AgentError("internal", String(thrown));
    if (error.code === "service.not_running")
      return this.printer.line("(the service is away; say it again when it is back)");
    this.printer.block(this.options.context.style.red(formatError(error)));
  }
}
