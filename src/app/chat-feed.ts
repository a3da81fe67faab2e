import type { Engine, Notice } from "../engine/engine.ts";
import type { JournalRow } from "../engine/tables.ts";
import type { Log } from "../ports/log.ts";
import type { CommittedReader } from "../ports/store.ts";
import type { JsonObject } from "../schema/json.ts";
import { addUsage, noUsage } from "../schema/llm.ts";
import type { ChatEvent } from "../schema/protocol.ts";
import { approvalTable, joinedTable, messageTable, type Run, runTable } from "../schema/rows.ts";
import { showApproval } from "./api/shown.ts";
import { usageOfRun } from "./api/usage.ts";
import { droppedMessage, fateOf, joinedRun } from "./message-fate.ts";

/** Turns what actors do into what a chat tells. One watcher follows one trace; nothing is made while nobody watches. */

export type Watcher = {
  readonly trace: string;
  /** The session whose end also ends the chat of a message that never had its turn. */
  readonly session: string;
  readonly tell: (event: ChatEvent) => void;
};

export type Watch = {
  leave(): void;
  /** After what is on its way already. */
  tell(event: ChatEvent): void;
  /** The message is that of this step; a second send of it has no step of its own. */
  accepted(seq: number): void;
  /** From now on the watcher hears of the run that answers its message. @returns false if it did before */
  join(runTrace: string): boolean;
};

export type ChatFeed = {
  watch(watcher: Watcher): Watch;
  /** Resolves when all that has happened until now was told. */
  settled(): Promise<void>;
};

/** Events leave in the order in which they happened, also where one needs a read before it can be told. */
class Watching {
  private last: Promise<void> = Promise.resolve();
  private pending = 0;
  /** The step that accepted the watcher's message. */
  acceptedAt: number | undefined;
  /** What it hears: its own message's trace, or that of the run that its message has joined. */
  trace: string;
  private readonly watcher: Watcher;
  private readonly onFault: (error: unknown) => void;

  constructor(watcher: Watcher, onFault: (error: unknown) => void) {
    this.watcher = watcher;
    this.trace = watcher.trace;
    this.onFault = onFault;
  }

  get session(): string {
    return this.watcher.session;
  }

  get messageTrace(): string {
    return this.watcher.trace;
  }

  settled(): Promise<void> {
    return this.last;
  }

  tell(event: ChatEvent): void {
    if (this.pending === 0) this.watcher.tell(event);
    else this.tellLater(async () => event);
  }

  tellLater(read: () => Promise<ChatEvent | undefined>): void {
    this.pending += 1;
    this.last = this.tellAfter(this.last, read);
  }

  private async tellAfter(
    earlier: Promise<void>,
    read: () => Promise<ChatEvent | undefined>,
  ): Promise<void> {
    await earlier;
    try {
      const event = await read();
      if (event !== undefined) this.watcher.tell(event);
    } catch (error) {
      this.onFault(error);
    } finally {
      this.pending -= 1;
    }
  }
}

export function createChatFeed(engine: Engine, log: Log): ChatFeed {
  const watching = new Watchers();
  engine.onNotice((notice) => {
    const event = fromNotice(notice);
    if (event === undefined) return;
    for (const watcher of watching.of(notice.trace)) watcher.tell(event);
  });
  engine.onStep((step) => {
    if (watching.isEmpty) return;
    for (const watcher of watching.of(step.trace)) tellStep(engine, step, watcher);
    if (step.outcome !== "handled") return;
    const joining = joiningIn(step);
    if (joining !== undefined) tellJoining(engine, watching, joining);
    const session = endedSession(step);
    if (session !== undefined) tellDropped(engine, watching.in(session), step.seq);
  });
  return {
    watch(watcher) {
      const entry = new Watching(watcher, (error) =>
        log("error", "a chat could not be told", { error: String(error) }),
      );
      watching.add(entry);
      return {
        leave: () => watching.remove(entry),
        tell: (event) => entry.tell(event),
        accepted: (seq) => {
          entry.acceptedAt ??= seq;
        },
        join: (runTrace) => watching.move(entry, runTrace),
      };
    },
    settled: async () => void (await Promise.all(watching.all().map((one) => one.settled()))),
  };
}

/** Who listens, by the trace that they hear. */
class Watchers {
  private readonly byTrace = new Map<string, Set<Watching>>();

  get isEmpty(): boolean {
    return this.byTrace.size === 0;
  }

  of(trace: string): readonly Watching[] {
    return [...(this.byTrace.get(trace) ?? [])];
  }

  all(): readonly Watching[] {
    return [...this.byTrace.values()].flatMap((watchers) => [...watchers]);
  }

  in(session: string): readonly Watching[] {
    return this.all().filter((watcher) => watcher.session === session);
  }

  add(watcher: Watching): void {
    const others = this.byTrace.get(watcher.trace) ?? new Set();
    this.byTrace.set(watcher.trace, others.add(watcher));
  }

  remove(watcher: Watching): void {
    const others = this.byTrace.get(watcher.trace);
    others?.delete(watcher);
    if (others?.size === 0) this.byTrace.delete(watcher.trace);
  }

  move(watcher: Watching, trace: string): boolean {
    const isHere = this.byTrace.get(watcher.trace)?.has(watcher) === true;
    if (!isHere || watcher.trace === trace) return false;
    this.remove(watcher);
    watcher.trace = trace;
    this.add(watcher);
    return true;
  }
}

type Joining = { readonly seq: number; readonly trace: string; readonly runTrace: string };

/** A message that another one's run answers: handed over to it, or collected with the one that began it. */
function joiningIn({ event_type, event, trace }: JournalRow): Joining | undefined {
  if (event_type !== "inbox.handed" && event_type !== "inbox.joined") return undefined;
  const { seq, trace: from, run_trace = trace } = event;
  return { seq: seq as number, trace: from as string, runTrace: run_trace as string };
}

/** Everybody who follows the run hears of it, those who have sent the message too. */
function tellJoining(engine: Engine, watching: Watchers, { seq, trace, runTrace }: Joining): void {
  for (const watcher of watching.of(trace)) watching.move(watcher, runTrace);
  for (const watcher of watching.of(runTrace)) {
    watcher.tellLater(async () => {
      const joined = await engine.read.get(joinedTable, seq);
      return joined === undefined ? undefined : joinedRun(joined);
    });
  }
}

/** A session's end, in good order or because it was set aside. */
function endedSession({ machine, address, event_type, event, state_after }: JournalRow) {
  if (machine === "session" && state_after === "closed") return address;
  if (machine !== "system" || event_type !== "actor.failed") return undefined;
  return event["address"] as string;
}

/** What still waited has ended with its session; what was not accepted until then waits for the next one. */
function tellDropped(engine: Engine, watchers: readonly Watching[], endedAt: number): void {
  for (const watcher of watchers) {
    const { acceptedAt: seq = Number.POSITIVE_INFINITY, messageTrace: trace, session } = watcher;
    if (seq > endedAt) continue;
    watcher.tellLater(async () => {
      const { kind } = await fateOf(engine.read, { trace, seq, session });
      return kind === "dropped" ? droppedMessage(trace) : undefined;
    });
  }
}

function fromNotice({ notice }: Notice): ChatEvent | undefined {
  switch (notice["type"]) {
    case "text.delta":
      return { type: "text.delta", text: notice["text"] as string };
    case "text.reset":
      return { type: "text.reset" };
    case "history.shortened":
      return { type: "history.shortened" };
    case "activity.retrying":
      return {
        type: "model.retrying",
        code: notice["code"] as string,
        wait_ms: notice["wait_ms"] as number,
      };
    default:
      return undefined;
  }
}

/** What a step means for a chat; one that only matters inside tells nothing. */
function tellStep(engine: Engine, step: JournalRow, watcher: Watching): void {
  if (step.machine === "run") tellRun(engine, step, watcher);
  else if (step.machine === "tool_call") tellCall(engine, step, watcher);
  else if (step.machine === "approval") tellApproval(engine, step, watcher);
  else if (step.event_type === "message.received" && step.outcome === "handled")
    watcher.acceptedAt ??= step.seq;
  else if (step.machine === "session" && step.event_type === "actor.failed") {
    const runId = (step.event["address"] as string).split("/").at(-1) ?? "";
    watcher.tellLater(() => finishedRun(engine, runId));
  }
}

function hasEnded(step: JournalRow, ...states: readonly string[]): boolean {
  return (
    step.outcome === "handled" &&
    step.state_before !== step.state_after &&
    states.includes(step.state_after ?? "")
  );
}

function tellRun(engine: Engine, step: JournalRow, watcher: Watching): void {
  const runId = step.address.split("/").at(-1) ?? "";
  if (step.event_type === "actor.created") {
    const { run_id, trace_id, session_id } = step.event["input"] as { [key: string]: string };
    if (run_id === undefined || trace_id === undefined || session_id === undefined) return;
    watcher.tell({ type: "run.started", run_id, trace_id, session_id });
  } else if (hasEnded(step, "done", "failed", "cancelled")) {
    watcher.tellLater(() => finishedRun(engine, runId));
  }
}

async function finishedRun(engine: Engine, runId: string): Promise<ChatEvent | undefined> {
  const run = await engine.read.get(runTable, runId);
  return run === undefined ? undefined : runFinished(engine.read, run);
}

export async function runFinished(read: CommittedReader, run: Run): Promise<ChatEvent> {
  const { run_id, trace_id, session_id, state, reply, error } = run;
  const usage = await usageOfRun(read, run_id, addUsage(noUsage, run.usage));
  return {
    type: "run.finished",
    run_id,
    trace_id,
    session_id,
    status: state ?? "failed",
    reply,
    error,
    usage,
  };
}

type StartedCall = { readonly id: string; readonly name: string; readonly input: JsonObject };

function tellCall(engine: Engine, step: JournalRow, watcher: Watching): void {
  if (step.event_type === "actor.created") {
    const { call } = step.event["input"] as { readonly call: StartedCall };
    watcher.tell({ type: "tool.started", call_id: call.id, tool: call.name, input: call.input });
  } else if (hasEnded(step, "done", "denied", "failed", "cancelled")) {
    watcher.tellLater(() => finishedCall(engine, step));
  }
}

/** The step that ends a call writes its result under the step's own number. */
async function finishedCall(engine: Engine, step: JournalRow): Promise<ChatEvent | undefined> {
  const message = await engine.read.get(messageTable, step.seq * 1000);
  const block = message?.content[0];
  if (block?.type !== "tool_result") return undefined;
  const actor = await engine.get(step.address);
  const tool = (actor?.context["call"] as StartedCall | undefined)?.name ?? "";
  const { tool_call_id, output, is_error } = block;
  return {
    type: "tool.finished",
    call_id: tool_call_id,
    tool,
    status: step.state_after ?? "",
    output,
    is_error,
  };
}

function tellApproval(engine: Engine, step: JournalRow, watcher: Watching): void {
  const id = step.address.split("/").at(-1) ?? "";
  const opened = step.event_type === "actor.created";
  if (!opened && !hasEnded(step, "approved", "denied", "answered", "expired", "cancelled")) return;
  watcher.tellLater(async () => {
    const approval = await engine.read.get(approvalTable, id);
    if (approval === undefined) return undefined;
    if (opened) return { type: "approval.opened", approval: showApproval(approval) };
    return {
      type: "approval.decided",
      id,
      state: approval.state,
      decided_by: approval.decided_by ?? "",
    };
  });
}
