import type { ActorDetails } from "../../schema/shown/actor-view.ts";
import { sessionContext } from "../../schema/contexts/session-context.ts";
import type { Results, ShownRun } from "../../schema/socket/protocol.ts";
import type { ShownSession } from "../../schema/shown/shown.ts";
import { spent } from "../../text/amounts.ts";
import { moment, took } from "../../text/times.ts";
import type { App } from "../app/app.ts";
import type { Hint, Pane } from "../app/pane.ts";
import type { Line, Size } from "../frame/frame.ts";
import { blank, line, span } from "../frame/line.ts";
import type { Picture } from "../frame/picture.ts";
import { own, safe, type SafeText } from "../frame/safe-text.ts";
import { type Fact, factLines, heading, listed } from "../look/fact-lines.ts";
import { conversationLines } from "../look/message-lines.ts";
import { lookOfRun } from "../look/run-look.ts";
import type { Records } from "../model/records.ts";
import type { Key } from "../screen.ts";
import { Scroll } from "../widgets/scroll.ts";
import { Tabs } from "../widgets/tabs.ts";

export type SessionRecord = {
  readonly shown: Results["sessions.show"];
  /** Undefined once its row is gone. */
  readonly actor: ActorDetails | undefined;
};

type Tab = "conversation" | "about";

const mostRuns = 20;

/** The chosen conversation: what was said in it, and what there is to know of it. */
export class SessionDetailPane implements Pane {
  readonly hints: readonly Hint[] = [Tabs.hint, { keys: own`↑↓ PgUp PgDn`, does: own`scroll` }];
  private readonly app: App;
  private readonly records: Records<SessionRecord>;
  private readonly tabs = new Tabs<Tab>(
    { conversation: own`Conversation`, about: own`About` },
    "conversation",
  );
  private readonly scroll = new Scroll(true);
  private session: ShownSession | undefined;
  private lineCount = 0;

  constructor(app: App, records: Records<SessionRecord>) {
    this.app = app;
    this.records = records;
  }

  show(session: ShownSession | undefined): void {
    if (session?.session_id !== this.session?.session_id) this.toItsPlace();
    this.session = session;
  }

  title(): SafeText {
    const { session } = this;
    if (session === undefined) return own`no session`;
    return own`session ${safe(session.session_id)} ${safe(session.label)}`;
  }

  note(): Line {
    return this.tabs.line();
  }

  draw(size: Size): Picture {
    const { session } = this;
    if (session === undefined) return { lines: [line(own`choose a session`, { fg: "grey" })] };
    const lines = this.lines(session, size.columns);
    this.lineCount = lines.length;
    return { lines: this.scroll.window(lines, size) };
  }

  key(key: Key): boolean {
    if (!this.tabs.key(key)) return this.scroll.key(key, this.lineCount);
    this.toItsPlace();
    return true;
  }

  /** Of its newest run. */
  trace(): string | undefined {
    return this.session && runsOf(this.app, this.session)[0]?.trace_id;
  }

  private toItsPlace(): void {
    if (this.tabs.current === "conversation") this.scroll.toEnd();
    else this.scroll.toStart();
  }

  private lines(session: ShownSession, width: number): readonly Line[] {
    const record = this.records.get(session.session_id, `${session.state} ${session.last_at}`);
    if (record === undefined) return [line(own`asking …`, { fg: "grey" })];
    if (this.tabs.current === "about") return aboutLines(this.app, record, width);
    const { messages } = record.shown;
    if (messages.length === 0) return [line(own`nothing was said yet`, { fg: "grey" })];
    return conversationLines(messages, { agent: session.agent_id, width });
  }
}

function runsOf({ model }: App, { session_id }: ShownSession): ShownRun[] {
  return model.runs.filter((run) => run.session_id === session_id);
}

function aboutLines(app: App, { shown, actor }: SessionRecord, width: number): Line[] {
  const runs = runsOf(app, shown);
  const { forked_from: forked } = shown;
  const facts: Fact[] = [
    [own`state`, safe(shown.state)],
    [own`agent`, safe(shown.agent_id)],
    [own`key`, safe(shown.key)],
    [own`began`, own`${safe(moment(shown.created_at))} UTC`],
    [own`last used`, own`${safe(moment(shown.last_at))} UTC`],
    [own`used`, safe(spent(shown.usage))],
    ...(forked === null
      ? []
      : [[own`forked`, own`from step ${forked.at} of ${safe(forked.run_id)}`] satisfies Fact]),
    ...shortenedFacts(shown),
    ...contextFacts(actor),
  ];
  const newest = runs.slice(0, mostRuns).map((run) => runLine(app, run));
  return [...factLines(facts, width), blank, heading(own`runs (r shows them)`), ...newest];
}

function shortenedFacts({ shortened }: SessionRecord["shown"]): Fact[] {
  if (shortened === null) return [];
  const { shown_since: since, is_whole } = shortened;
  const begins = since === null ? own`its next message` : own`${safe(moment(since))} UTC`;
  const before = is_whole ? own`summed up` : own`left out`;
  return [[own`model sees`, own`from ${begins} on; what was said before is ${before}`]];
}

/** What only its actor knows: what waits, and whose words it has read. */
function contextFacts(actor: ActorDetails | undefined): Fact[] {
  const { queued, trust } = sessionContext.shape;
  const waiting = queued.safeParse(actor?.context["queued"]);
  const known = trust.safeParse(actor?.context["trust"]);
  const facts: Fact[] = [];
  if (waiting.success && waiting.data > 0)
    facts.push([own`queued`, own`${waiting.data} messages wait`, { fg: "yellow" }]);
  if (!known.success) return facts;
  if (known.data.private.length > 0) facts.push([own`has read`, listed(known.data.private)]);
  if (known.data.untrusted.length > 0)
    facts.push([own`tainted by`, listed(known.data.untrusted), { fg: "yellow" }]);
  return facts;
}

function runLine(app: App, run: ShownRun): Line {
  const { glyph, style } = lookOfRun(run, app.model.actors.get(run.address));
  const end = run.ended_at === null ? app.timers.now() : Date.parse(run.ended_at);
  const time = safe(took(end - Date.parse(run.started_at)));
  return [
    span(own`${safe(run.run_id)} `, { bold: true }),
    span(own`${glyph} ${safe(run.state)} `, style),
    span(own`${safe(moment(run.started_at))} UTC, ${time}`, { fg: "grey" }),
  ];
}
