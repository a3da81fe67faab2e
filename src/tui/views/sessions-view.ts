import type { ShownSession, ShownUsage } from "../../schema/shown/shown.ts";
import type { App } from "../app/app.ts";
import { inTwo } from "../app/layout.ts";
import type { Hint } from "../app/pane.ts";
import { throttled } from "../app/timers.ts";
import type { View } from "../app/view.ts";
import { conversationIn } from "../chat/conversation.ts";
import { openChat } from "../chat/open-chat.ts";
import { line } from "../frame/line.ts";
import { own, safe, wrappedWords } from "../frame/safe-text.ts";
import { jsonLines } from "../look/json-lines.ts";
import { Records } from "../model/records.ts";
import { QuestionOverlay } from "../overlays/question-overlay.ts";
import { TextOverlay } from "../overlays/text-overlay.ts";
import { sessionColumns } from "../panes/session-columns.ts";
import { SessionDetailPane, type SessionRecord } from "../panes/session-detail-pane.ts";
import { cancelRun } from "../poke/cancel-run.ts";
import type { Key } from "../screen.ts";
import { ListPane } from "../widgets/list-pane.ts";

const hints: readonly Hint[] = [
  { keys: own`Enter`, does: own`chat` },
  { keys: own`r`, does: own`its runs` },
  { keys: own`c`, does: own`cancel its run` },
  { keys: own`x`, does: own`reset` },
  { keys: own`i`, does: own`JSON` },
];

const shownMessages = 100;
const usageEveryMs = 3_000;
const mostUsage = 200;

/** Every conversation, the last used first, and the chosen one with what was said in it. */
export function sessionsView(app: App): View {
  const figures = new Figures(app);
  const detail = new SessionDetailPane(app, new Records(app, (id) => readSession(app, id)));
  const list = new ListPane<ShownSession>(app, {
    title: () => own`sessions`,
    rows: () => app.model.sessions,
    idOf: ({ session_id }) => session_id,
    columns: sessionColumns(app, figures),
    fieldsOf: ({ session_id, label, agent_id, state, key }) => ({
      session: session_id,
      name: label,
      agent: agent_id,
      state,
      key,
    }),
    addressOf: ({ address }) => address,
    tracesOf: (session) => figures.tracesOf(session),
    empty: own`no conversation yet: a message begins one`,
    onKey: (key, session) => session !== undefined && act(app, key, session),
    onChoice: (session) => detail.show(session),
    hints,
  });
  return {
    id: "sessions",
    title: own`Sessions`,
    panes: [list, detail],
    layout: inTwo(0.5),
    show(id) {
      list.filter.text = "";
      list.cursor.choose(id);
    },
  };
}

async function readSession({ service }: App, id: string): Promise<SessionRecord> {
  const shown = await service.call("sessions.show", { id, limit: shownMessages });
  const actor = await service.call("actor.get", { address: shown.address }).catch(() => undefined);
  return { shown, actor };
}

/** What is added up per session: of the runs that are known, and of the service's ledger. */
class Figures {
  private readonly app: App;
  private readonly askSoon: () => void;
  private of: unknown;
  private traces = new Map<string, string[]>();
  private used = new Map<string, ShownUsage>();

  constructor(app: App) {
    this.app = app;
    this.askSoon = throttled(app.timers, usageEveryMs, () => void this.ask());
  }

  runs({ session_id }: ShownSession): string {
    this.refresh();
    const count = this.traces.get(session_id)?.length ?? 0;
    return this.app.model.runs.length < mostUsage ? `${count}` : `${count}+`;
  }

  tracesOf({ session_id }: ShownSession): readonly string[] {
    this.refresh();
    return this.traces.get(session_id) ?? [];
  }

  usage({ session_id }: ShownSession): ShownUsage | undefined {
    return this.used.get(session_id);
  }

  private refresh(): void {
    const { runs } = this.app.model;
    if (this.of === runs) return;
    this.of = runs;
    this.traces = new Map();
    for (const { session_id, trace_id } of runs) {
      const traces = this.traces.get(session_id);
      if (traces === undefined) this.traces.set(session_id, [trace_id]);
      else traces.push(trace_id);
    }
    this.askSoon();
  }

  private async ask(): Promise<void> {
    const { service, changed } = this.app;
    const totals = await service
      .call("usage.totals", { by: "session", limit: mostUsage })
      .catch(() => []);
    if (totals.length === 0) return;
    this.used = new Map(totals.map((total) => [total.name, total]));
    changed();
  }
}

function act(app: App, { name }: Key, session: ShownSession): boolean {
  const acts: { readonly [key: string]: () => unknown } = {
    enter: () => talk(app, session),
    r: () => showRuns(app, session),
    c: () => cancel(app, session),
    x: () => askReset(app, session),
    i: () => showJson(app, session),
  };
  const chosen = Object.hasOwn(acts, name) ? acts[name] : undefined;
  chosen?.();
  return chosen !== undefined;
}

function talk(app: App, { key, label }: ShownSession): void {
  const conversation = conversationIn(key);
  if (conversation !== undefined) return openChat(app, conversation);
  app.say(own`${safe(label)} is of another channel: it cannot be talked in from here`);
}

function showRuns(app: App, { session_id }: ShownSession): void {
  const newest = app.model.runs.find((run) => run.session_id === session_id);
  if (newest === undefined) return app.say(own`no run of ${safe(session_id)} is known`);
  app.go("runs", newest.run_id);
}

function cancel(app: App, { session_id }: ShownSession): void {
  const run = app.model.runs.find(
    (each) => each.session_id === session_id && each.ended_at === null,
  );
  if (run === undefined) return app.say(own`nothing runs in ${safe(session_id)}`);
  cancelRun(app, run);
}

function askReset(app: App, { session_id, label, closed_at }: ShownSession): void {
  const name = own`${safe(session_id)} (${safe(label)})`;
  if (closed_at !== null) return app.say(own`${name} is closed already`);
  const about = own`The session closes: its run is cancelled, its grants end, and the next message begins a new one. What was said stays readable.`;
  app.open(
    new QuestionOverlay(app, {
      title: own`reset ${name}?`,
      about: (width) => [
        ...wrappedWords(about, width).map((each) => line(each)),
        [],
        line(own`Enter resets it.`, { bold: true }),
      ],
      fields: [],
      onDone() {
        void reset(app, session_id);
        return undefined;
      },
    }),
  );
}

async function reset(app: App, id: string): Promise<void> {
  const sent = await app.ask("sessions.reset", { id });
  if (sent !== undefined) app.say(own`${safe(id)} is ${safe(sent.state)}`, "good");
}

async function showJson(app: App, { session_id: id }: ShownSession): Promise<void> {
  const shown = await app.ask("sessions.show", { id, limit: shownMessages });
  if (shown === undefined) return;
  const lines = (width: number) => jsonLines(shown, width);
  app.open(new TextOverlay({ title: own`session ${safe(id)}`, lines }));
}
