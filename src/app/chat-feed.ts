import type { Engine, Notice } from "../engine/engine.ts";
import type { JournalRow } from "../engine/tables.ts";
import type { Log } from "../ports/log.ts";
import type { ErrorData } from "../schema/errors.ts";
import type { JsonObject } from "../schema/json.ts";
import { noUsage } from "../schema/llm.ts";
import type { ChatEvent } from "../schema/protocol.ts";
import { approvalTable, messageTable, type Run, runTable } from "../schema/rows.ts";
import { showApproval } from "./api/shown.ts";

/** Turns what actors do into what a chat tells. One watcher follows one trace; nothing is made while nobody watches. */

export type Watcher = {
  readonly trace: string;
  /** The session whose end also ends the chat of a message that never had its turn. */
  readonly session: string;
  readonly tell: (event: ChatEvent) => void;
};

export type ChatFeed = {
  watch(watcher: Watcher): () => void;
};

/** Events leave in the order in which they happened, also where one needs a read before it can be told. */
class Watching {
  private last: Promise<void> = Promise.resolve();
  private pending = 0;
  private readonly watcher: Watcher;
  private readonly onFault: (error: unknown) => void;

  constructor(watcher: Watcher, onFault: (error: unknown) => void) {
    this.watcher = watcher;
    this.onFault = onFault;
  }

  get session(): string {
    return this.watcher.session;
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
  const watching = new Map<string, Set<Watching>>();
  engine.onNotice((notice) => {
    const event = fromNotice(notice);
    if (event === undefined) return;
    for (const watcher of watching.get(notice.trace) ?? []) watcher.tell(event);
  });
  engine.onStep((step) => {
    if (watching.size === 0) return;
    for (const watcher of watching.get(step.trace) ?? []) tellStep(engine, step, watcher);
    if (step.machine === "session" && step.state_after === "closed") endWaiting(watching, step);
  });
  return {
    watch(watcher) {
      const entry = new Watching(watcher, (error) =>
        log("error", "a chat could not be told", { error: String(error) }),
      );
      const others = watching.get(watcher.trace) ?? new Set();
      watching.set(watcher.trace, others.add(entry));
      return () => {
        others.delete(entry);
        if (others.size === 0) watching.delete(watcher.trace);
      };
    },
  };
}

function fromNotice({ notice }: Notice): ChatEvent | undefined {
  switch (notice["type"]) {
    case "text.delta":
      return { type: "text.delta", text: notice["text"] as string };
    case "text.reset":
      return { type: "text.reset" };
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
  return run === undefined ? undefined : runFinished(run);
}

export function runFinished(run: Run): ChatEvent {
  const { run_id, trace_id, session_id, state, reply, error, usage } = run;
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

const closed: ErrorData = {
  code: "run.cancelled",
  message: "The session was closed before the message had its turn.",
  retryable: false,
};

function endWaiting(watching: ReadonlyMap<string, ReadonlySet<Watching>>, step: JournalRow): void {
  for (const [trace, watchers] of watching) {
    for (const watcher of watchers) {
      if (watcher.session !== step.address) continue;
      const usage = noUsage;
      const ids = { run_id: "", trace_id: trace, session_id: "" };
      watcher.tell({
        type: "run.finished",
        ...ids,
        status: "cancelled",
        reply: null,
        error: closed,
        usage,
      });
    }
  }
}
