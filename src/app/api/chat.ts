import { createHash, randomUUID } from "node:crypto";
import { sessionOfRun } from "../../actors/address.ts";
import { sessionAddress, sessionKey } from "../../actors/session-key.ts";
import type { Engine, SendOptions } from "../../engine/engine.ts";
import { narrowed } from "../../policy/delegation.ts";
import type { AgentPolicy } from "../../policy/verdict.ts";
import type { Trust } from "../../schema/contexts/trust.ts";
import { AgentError } from "../../schema/errors.ts";
import type { EventData } from "../../schema/events/event.ts";
import type { HiveConfig } from "../../schema/config/config.ts";
import type { ChatEvent, ParsedParams, Results } from "../../schema/socket/protocol.ts";
import type { QueueMode } from "../../schema/queue.ts";
import { approvalTable } from "../../schema/rows/permission-rows.ts";
import { runTable } from "../../schema/rows/run-rows.ts";
import { runFinished } from "../chat/chat-event-of.ts";
import type { ChatFeed, Watch, Watcher } from "../chat/chat-feed.ts";
import { droppedMessage, type Fate, fateOf } from "../chat/message-fate.ts";
import { findRun, newestSession } from "../records/find.ts";
import { refuseWhenStopping } from "../root.ts";
import { type Addressing, addressee, placeOf } from "./addressee.ts";
import type { Caller, Handlers } from "./caller.ts";
import { showApproval } from "../../text/shown-approval.ts";

export type ChatOptions = Addressing & {
  readonly engine: Engine;
  readonly feed: ChatFeed;
  /** Asked for each message: the configuration may have been read anew. */
  readonly sessions: () => SessionRules;
};

/** What holds for conversations unless a message says otherwise. */
export type SessionRules = { readonly ttlMs: number; readonly queue: QueueMode };

export function sessionRules({ sessions }: Pick<HiveConfig, "sessions">): SessionRules {
  return { ttlMs: sessions.ttl_minutes * 60_000, queue: sessions.queue };
}

const queueCap = 100;

/** A message enters at its session; what becomes of it is told to whoever sent it, for as long as they listen. */
export function chatHandlers(options: ChatOptions): Handlers<"chat.send" | "chat.follow"> {
  return {
    "chat.follow": (params, caller) => followRun(options, params, caller),
    "chat.send": (params, caller) => sendMessage(options, params, caller),
  };
}

async function sendMessage(
  options: ChatOptions,
  params: ParsedParams<"chat.send">,
  caller: Caller,
): Promise<Results["chat.send"]> {
  const { engine } = options;
  await refuseWhenStopping(engine);
  const place = placeOf(params, caller);
  const { id: agent_id, policy } = addressee(options, params, place);
  refuseBeyond(policy, params);
  const key = sessionKey({ ...place, agent_id });
  const queue = params.queue ?? usualFor(params, options.sessions().queue);
  const event = { type: "message.received", text: params.text, queue, ...bounds(params) };
  const { chat, idempotency_key } = params;
  const said = { key, agent_id, event, chat, idempotency_key };
  const { address, trace, fate } = await deliverMessage(options, said, caller);
  const queued = fate.kind === "waiting";
  const answer = await accepted(engine, { address, trace, key });
  return { ...answer, agent_id, queued, queue };
}

export type Saying = {
  /** The session's. */
  readonly key: string;
  readonly agent_id: string;
  readonly event: EventData;
  /** Under which its sender is told what becomes of it; undefined: they are not. */
  readonly chat: string | undefined;
  readonly idempotency_key: string | undefined;
  /** What a session that begins with this message knows. */
  readonly trust?: Trust;
  readonly bornWith?: SendOptions["bornWith"];
};

type Delivered = {
  readonly address: string;
  readonly trace: string;
  readonly fate: Fate;
  /** The step that took it. */
  readonly seq: number;
};

/** Into its session, which is made where there is none. @throws AgentError session.queue_full, actor.quarantined, event.* */
export async function deliverMessage(
  { engine, feed, sessions }: ChatOptions,
  { key, agent_id, event, chat, idempotency_key, trust, bornWith }: Saying,
  caller: Caller,
): Promise<Delivered> {
  const address = sessionAddress(key);
  const trace = traceOf(idempotency_key);
  const watched = { trace, session: address, agent: agent_id };
  const watch = chat === undefined ? undefined : watchFor(feed, caller, { chat, ...watched });
  const known = trust === undefined ? {} : { trust };
  const { ttlMs: ttl_ms } = sessions();
  const input = { key, agent_id, queue_cap: queueCap, ttl_ms, ...known };
  const sent = await engine
    .send(
      address,
      { ...event, ttl_ms },
      {
        origin: caller.origin,
        trace,
        create: { machine: "session", input, supervisor: "system" },
        ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
        ...(bornWith === undefined ? {} : { bornWith }),
      },
    )
    .catch((error: unknown) => {
      watch?.leave();
      throw error;
    });
  if (sent.outcome !== "handled") {
    watch?.leave();
    throw refusal(sent.reason ?? "", key);
  }
  watch?.accepted(sent.seq);
  const fate = await fateOf(engine.read, { trace, seq: sent.seq, session: address });
  if (watch !== undefined) await tellFate(engine, watch, { fate, trace, agent: agent_id });
  return { address, trace, fate, seq: sent.seq };
}

type Bounded = Pick<ParsedParams<"chat.send">, "boundary" | "queue">;

const bounds = ({ boundary }: Bounded) => (boundary === undefined ? {} : { boundary });

/** A message with a boundary has a run of its own. */
const usualFor = ({ boundary }: Bounded, usual: QueueMode): QueueMode =>
  boundary !== undefined && usual === "steer" ? "follow_up" : usual;

/** @throws AgentError usage: its task could do more than the agent may, or it would join a run that may do more */
function refuseBeyond(policy: AgentPolicy, { boundary, queue }: Bounded): void {
  if (boundary === undefined) return;
  if (queue === "steer") {
    throw new AgentError(
      "usage",
      "A message that steers a run cannot have a boundary of its own.",
      {
        hint: "leave --queue out, or say --queue follow_up",
      },
    );
  }
  const asked = narrowed(policy, { boundary });
  if (asked.ok) return;
  throw new AgentError("usage", `The task cannot have this boundary: ${asked.faults.join(" ")}`, {
    hint: `the agent may do at most: ${policy.boundary.join(", ")}`,
  });
}

/** What has come of the message already: the second one under a key finds it joined, answered or dropped. */
async function tellFate(
  { read }: Engine,
  watch: Watch,
  { fate, trace, agent }: { readonly fate: Fate; readonly trace: string; readonly agent: string },
): Promise<void> {
  if (fate.kind === "dropped") return watch.tell(droppedMessage(trace, agent));
  if (fate.kind === "waiting" || fate.kind === "taken") return undefined;
  if (fate.kind === "joined") watch.join(fate.joined);
  const run = fate.kind === "run" ? fate.run : await read.get(runTable, fate.joined.run_id);
  if (run !== undefined && run.state !== null) watch.tell(await runFinished(read, run));
}

/** One that has ended meanwhile is told at once. */
async function followRun(
  { engine, feed }: ChatOptions,
  { chat, run: id }: ParsedParams<"chat.follow">,
  caller: Caller,
): Promise<Results["chat.follow"]> {
  const { run_id, trace_id, agent_id, address } = await findRun(engine.read, id);
  const session = sessionOfRun(address);
  const watch = watchFor(feed, caller, { chat, trace: trace_id, session, agent: agent_id });
  const now = await engine.read.get(runTable, id);
  if (now !== undefined && now.state !== null) watch.tell(await runFinished(engine.read, now));
  return { run_id, trace_id, agent_id };
}

type Watched = Omit<Watcher, "tell"> & { readonly chat: string };

/** Tells until the run has finished, once, or the caller has gone. */
function watchFor(feed: ChatFeed, caller: Caller, { chat, ...watched }: Watched): Watch {
  let isOver = false;
  const hear = (event: ChatEvent) => {
    if (isOver) return undefined;
    tell(caller, chat, event);
    if (event.type === "run.finished") leave();
    return caller.drained();
  };
  const watch = feed.watch({ ...watched, tell: hear });
  const leave = () => {
    isOver = true;
    watch.leave();
    forget();
  };
  const forget = caller.onEnd(leave);
  return { ...watch, leave };
}

/** A message sent twice under one key is one message, and has one trace. */
function traceOf(key: string | undefined): string {
  return `t${createHash("sha256")
    .update(key ?? randomUUID())
    .digest("hex")
    .slice(0, 16)}`;
}

function tell(caller: Caller, chat: string, event: ChatEvent): void {
  if (event.type === "text.delta") caller.notify("chat.delta", { chat, event });
  else if (event.type === "run.finished") caller.notify("chat.end", { chat, event });
  else caller.notify("chat.tool", { chat, event });
}

function refusal(reason: string, key: string): AgentError {
  if (reason.startsWith("session.queue_full"))
    return new AgentError("session.queue_full", reason, { retryable: true });
  if (reason.startsWith("actor.quarantined")) {
    return new AgentError("actor.quarantined", "This session was set aside after a fault.", {
      hint: `\`statehive sessions reset ${key}\` begins a new one`,
    });
  }
  return new AgentError("event.not_accepted", `The message was not accepted: ${reason}`, {
    retryable: true,
  });
}

type Accepted = { readonly address: string; readonly trace: string; readonly key: string };

async function accepted({ read }: Engine, { address, trace, key }: Accepted) {
  const session = await newestSession(read, key);
  const session_id = session?.session_id ?? "";
  const waiting = await read.select(approvalTable, {
    index: "by_session",
    equals: [session_id, "pending"],
  });
  const others = waiting.filter((approval) => approval.trace_id !== trace);
  return { session_id, address, trace_id: trace, waiting_for: others.map(showApproval) };
}
