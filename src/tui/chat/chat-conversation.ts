import { Talks } from "../../client/chat/talks.ts";
import { toErrorData } from "../../schema/errors.ts";
import type {
  Results,
  ShownApproval,
  ShownMessage,
  ShownRun,
} from "../../schema/socket/protocol.ts";
import type { ShownSession } from "../../schema/shown/shown.ts";
import type { QueueMode } from "../../schema/queue.ts";
import { waitsFor } from "../../text/queue-text.ts";
import type { App } from "../app/app.ts";
import { own } from "../frame/safe-text.ts";
import { type Conversation, conversationIn, keyOf } from "./conversation.ts";
import { entriesOf } from "./history.ts";
import { ToldMessages } from "./told-messages.ts";
import { Transcript } from "./transcript.ts";

const pageOfMessages = 100;
const mostMessages = 10_000;

/** One conversation: its transcript, what is said in it from here, and what of it is begun elsewhere. */
export class ChatConversation {
  readonly transcript = new Transcript();
  /** Undefined for one of another channel, which can only be watched. */
  readonly place: Conversation | undefined;
  /** What becomes of a message while a run works; undefined: what the service is set to. */
  queue: QueueMode | undefined;
  private readonly app: App;
  private readonly talks: Talks;
  private readonly key: string;
  private readonly names = new Map<string, string>();
  private agentId: string;
  private sessionId = "";
  private working = 0;
  private isLoaded = false;
  private shownMessages = pageOfMessages;
  /** Of those shown; undefined where there are none before it. */
  private oldest: ShownMessage | undefined;
  private isLoadingOlder = false;
  private readonly told = new ToldMessages();
  private isReading = false;
  private noticed: {
    runs?: readonly ShownRun[];
    approvals?: readonly ShownApproval[];
    sessions?: readonly ShownSession[];
  } = {};

  /** @param key of its session; without an agent in it: whoever the bindings lead to */
  constructor(app: App, key: string) {
    this.app = app;
    this.key = key;
    this.place = conversationIn(key);
    this.agentId = this.place?.agent ?? key.split(":").at(-1) ?? "";
    this.talks = new Talks({
      link: app.service,
      onBegin: ({ isAgain }) => this.begin(isAgain),
      onEvent: (event, { agent }) => {
        this.transcript.hear(event, { agent, now: app.timers.now() });
        app.changed();
      },
    });
  }

  /** Who answers, as people know them. */
  get agentName(): string {
    return this.nameOf(this.agentId);
  }

  get session(): string {
    return this.place?.session ?? this.key;
  }

  nameOf(agent: string): string {
    return this.names.get(agent) ?? agent;
  }

  get isWorking(): boolean {
    return this.transcript.run !== undefined || this.working > 0;
  }

  /** What waits for a person here. */
  get question(): ShownApproval | undefined {
    return this.transcript.questions[0];
  }

  /** Called when it comes into sight and each time that the service is there again. */
  async load(): Promise<void> {
    if (this.isLoaded || this.app.model.detachedAt !== null) return;
    this.isLoaded = true;
    this.isReading = true;
    try {
      await this.learnAgent();
      await this.showStored();
    } catch (error) {
      this.isLoaded = false;
      this.tell(error);
    }
    this.isReading = false;
    this.app.changed();
  }

  /** Shows what was said before what is shown. @returns whether there was more */
  async loadOlder(): Promise<boolean> {
    const { oldest } = this;
    if (oldest === undefined || this.isLoadingOlder) return false;
    this.isLoadingOlder = true;
    const limit = Math.min(mostMessages, this.shownMessages * 4);
    const found = await this.app.ask("sessions.show", { id: this.sessionId, limit });
    this.isLoadingOlder = false;
    if (found === undefined || oldest !== this.oldest) return false;
    const before = found.messages.slice(0, placeOf(oldest, found.messages));
    this.shownMessages = limit;
    this.oldest = found.messages.length === limit ? found.messages[0] : undefined;
    this.transcript.prepend(entriesOf(before, this.agentId));
    this.app.changed();
    return before.length > 0;
  }

  /** @returns false where it was not sent, and is to be kept */
  send(text: string, queue = this.queue): boolean {
    const { app, place } = this;
    if (place === undefined) {
      app.say(own`this conversation is held elsewhere; /session NAME begins one here`, "bad");
      return false;
    }
    if (app.model.detachedAt !== null) {
      app.say(own`the service is away; your text is kept: Enter sends it when it is back`, "bad");
      return false;
    }
    const entry = this.transcript.say(text);
    const target = { ...place, ...(queue === undefined ? {} : { queue }) };
    void this.whileWorking(() =>
      this.talks.send(text, target, (accepted) => {
        entry.note = this.accepted(accepted);
        entry.version += 1;
        app.changed();
      }),
    );
    return true;
  }

  async cancel(afterStep = false): Promise<void> {
    const id = this.transcript.run?.id ?? this.question?.run_id ?? this.presentRun()?.run_id;
    if (id === undefined) return this.app.say(own`nothing runs here`);
    const sent = await this.app.ask("runs.cancel", {
      id,
      ...(afterStep ? { after_step: true } : {}),
    });
    if (sent === undefined) return;
    this.transcript.note(afterStep ? "stops after this step" : "interrupted; what it did stays");
    this.app.changed();
  }

  /** Closes the session: the agent forgets what was said in it. */
  async beginAnew(): Promise<void> {
    if (this.sessionId === "") return this.app.say(own`nothing was said in it yet`);
    const closed = await this.app.ask("sessions.reset", { id: this.sessionId });
    if (closed === undefined) return;
    this.sessionId = "";
    this.noticed.sessions = this.app.model.sessions;
    this.oldest = undefined;
    this.transcript.note("a new conversation begins here: what is above is not part of it");
    this.app.changed();
  }

  /** What the model has learnt meanwhile; cheap where it is nothing new. */
  notice(): void {
    const { runs, approvals, sessions } = this.app.model;
    if (!this.isLoaded || this.isReading) return;
    if (sessions !== this.noticed.sessions) this.noticeSession(sessions);
    if (this.sessionId === "") return;
    const untold = this.working > 0 ? [] : this.untoldRuns();
    if (untold.length > 0) return void this.showUntold(untold);
    if (approvals !== this.noticed.approvals) this.noticeApprovals(approvals);
    if (runs !== this.noticed.runs && this.working === 0) void this.followPresent(runs);
  }

  /** The conversation may have begun, or begun anew, elsewhere. */
  private noticeSession(sessions: readonly ShownSession[]): void {
    this.noticed.sessions = sessions;
    const present = sessions.find(
      ({ key, closed_at }) => key === this.fullKey && closed_at === null,
    );
    if (present !== undefined) this.sessionId = present.session_id;
  }

  /** Begun elsewhere, since what was stored was read. */
  private untoldRuns(): string[] {
    const { runs, approvals } = this.app.model;
    const begun = [
      ...runs.map((run) => ({ ...run, at: run.started_at })),
      ...approvals.map((approval) => ({ ...approval, at: approval.created_at })),
    ];
    return begun
      .filter(({ session_id }) => session_id === this.sessionId)
      .filter(({ run_id, at }) => !this.talks.hears(run_id) && this.told.lacks(run_id, at))
      .map(({ run_id }) => run_id);
  }

  private async showUntold(runs: readonly string[]): Promise<void> {
    this.isReading = true;
    const found = await this.app.ask("sessions.show", {
      id: this.sessionId,
      limit: pageOfMessages,
    });
    const untold = this.told.take(found?.messages ?? [], runs);
    this.transcript.append(entriesOf(untold, this.agentId));
    this.isReading = false;
    this.app.changed();
  }

  private noticeApprovals(approvals: readonly ShownApproval[]): void {
    const before = this.noticed.approvals ?? [];
    this.noticed.approvals = approvals;
    for (const approval of approvals)
      if (approval.session_id === this.sessionId) this.transcript.ask(approval);
    for (const { id } of this.transcript.questions) {
      const hasGone =
        before.some((one) => one.id === id) && !approvals.some((one) => one.id === id);
      if (hasGone) this.transcript.decided(id, "no longer open");
    }
  }

  private async followPresent(runs: readonly ShownRun[]): Promise<void> {
    this.noticed.runs = runs;
    const run = this.presentRun();
    if (run === undefined || this.talks.hears(run.run_id)) return;
    await this.whileWorking(async () => {
      this.transcript.run = { id: run.run_id, since: Date.parse(run.started_at) };
      this.transcript.resume();
      await this.talks.follow(run.run_id);
    });
  }

  private presentRun(): ShownRun | undefined {
    return this.app.model.runs.find(
      ({ session_id, ended_at }) => session_id === this.sessionId && ended_at === null,
    );
  }

  private async learnAgent(): Promise<void> {
    const { service } = this.app;
    const agents = await service.call("agents.list", {});
    for (const { id, name, emoji } of agents)
      this.names.set(id, emoji === null ? name : `${emoji} ${name}`);
    if (this.place === undefined) return;
    const agent = await service.call("chat.agent", this.place);
    this.agentId = agent.id;
  }

  private async showStored(): Promise<void> {
    const found = await this.app.service
      .call("sessions.show", { id: this.fullKey, limit: pageOfMessages })
      .catch((error: unknown) => {
        if (toErrorData(error).code === "session.not_found") return undefined;
        throw error;
      });
    if (found === undefined || (found.closed_at !== null && this.place !== undefined)) return;
    this.sessionId = found.session_id;
    this.oldest = found.messages.length === pageOfMessages ? found.messages[0] : undefined;
    this.told.add(found.messages);
    this.transcript.replace(entriesOf(found.messages, this.agentId));
  }

  /** With the agent that answers. */
  private get fullKey(): string {
    return this.place === undefined ? this.key : keyOf({ ...this.place, agent: this.agentId });
  }

  private accepted({
    session_id,
    agent_id,
    queued,
    queue,
    waiting_for,
  }: Results["chat.send"]): string {
    this.sessionId = session_id;
    this.agentId = agent_id;
    for (const approval of waiting_for) this.transcript.ask(approval);
    return queued ? waitsFor[queue] : "";
  }

  private begin(isAgain: boolean): void {
    if (!isAgain) return;
    this.transcript.note("the service is back");
    this.transcript.resume();
  }

  private async whileWorking(work: () => Promise<void>): Promise<void> {
    this.working += 1;
    this.app.changed();
    try {
      await work();
    } catch (error) {
      this.tell(error);
    } finally {
      this.working -= 1;
      this.app.changed();
    }
  }

  private tell(error: unknown): void {
    const { message, hint } = toErrorData(error);
    this.transcript.note(hint === undefined ? message : `${message} (${hint})`, "bad");
  }
}

function placeOf(wanted: ShownMessage, messages: readonly ShownMessage[]): number {
  const text = JSON.stringify(wanted);
  const at = messages.findIndex(
    (message) => message.at === wanted.at && JSON.stringify(message) === text,
  );
  return Math.max(0, at);
}
