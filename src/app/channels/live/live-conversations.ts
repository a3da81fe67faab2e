import { idIn, sessionOfRun } from "../../../actors/address.ts";
import { keyIn, placeIn } from "../../../actors/session-key.ts";
import type { Engine } from "../../../engine/engine.ts";
import { isLocalSession, isPrivate } from "../../../policy/session-place.ts";
import type { Channel } from "../../../ports/channel.ts";
import type { Clock } from "../../../ports/clock.ts";
import { type Preview, previewTable } from "../../../schema/rows/channel-rows.ts";
import type { DeliveryContext } from "../../../schema/contexts/delivery-context.ts";
import type { ToolCallContext } from "../../../schema/contexts/tool-call-context.ts";
import type { EventOf } from "../../../schema/events/events.ts";
import type { News, Stepped } from "../../news/news.ts";
import { LiveBudget } from "./live-budget.ts";
import { settleScreen } from "./live-ending.ts";
import { LiveRun } from "./live-run.ts";
import { LiveScreen } from "./live-screen.ts";
import { LiveSeen } from "./live-seen.ts";
import { LiveTyping, type TypingPlace } from "./live-typing.ts";

/** Which news change what is shown in which conversation. */

export type LiveParts = {
  readonly engine: Pick<Engine, "read" | "write">;
  readonly clock: Clock;
  readonly channels: (connectorId: string) => Channel | undefined;
  /** Takes care of what a call rejects with. */
  readonly tried: (call: Promise<unknown>) => void;
};

type Shown = { readonly run: LiveRun; readonly screen: LiveScreen; readonly place: TypingPlace };

const working: ReadonlySet<string> = new Set(["thinking", "awaiting_tool"]);
const ended: ReadonlySet<string> = new Set(["done", "failed", "cancelled"]);
const delivered: ReadonlySet<string> = new Set(["delivered", "unknown", "dead"]);

/** A reply that can not be sent soon is not what somebody writes now. */
const longestDeliveryMs = 60_000;
/** Runs that have ended, and whose replies are on their way. */
const mostEnding = 500;

export class LiveConversations {
  private readonly parts: LiveParts;
  private readonly typing: LiveTyping;
  private readonly closing = new AbortController();
  /** By id. */
  private readonly runs = new Map<string, Shown>();
  private readonly ending = new Map<string, Shown>();
  /** By connector. */
  private readonly budgets = new Map<string, LiveBudget>();
  private readonly seen = new Map<string, LiveSeen>();

  constructor(parts: LiveParts) {
    this.parts = parts;
    this.typing = new LiveTyping(parts.clock, parts.tried);
  }

  hear(news: News): void {
    switch (news.type) {
      case "text.delta":
        return this.hearText(news.address, (run) => run.text.add(news.text));
      case "text.reset":
        return this.hearText(news.address, (run) => run.text.beginAnew());
      case "actor.stepped":
        return this.hearStep(news);
      default:
        return undefined;
    }
  }

  /** A run that has worked before anything was heard of it. */
  resume(address: string, state: string): void {
    if (working.has(state)) this.work(address);
  }

  /** What was heard is torn: each run is shown again from its next step on. */
  forget(): void {
    this.typing.stop();
    for (const { run } of this.runs.values()) run.end();
    for (const [id, shown] of this.runs) this.ending.set(id, shown);
    this.runs.clear();
  }

  stop(): void {
    this.forget();
    for (const seen of this.seen.values()) seen.stop();
    this.closing.abort();
  }

  private hearText(address: string, change: (run: LiveRun) => void): void {
    const run = this.runs.get(idIn(address))?.run;
    if (run === undefined) return;
    change(run);
    run.changed();
  }

  private hearStep({ step, actor, address }: Stepped): void {
    const state = step.state_after ?? "";
    const context = actor?.snapshot.context;
    switch (step.machine) {
      case "run":
        return this.hearRun(address, state, isNewRound(step));
      case "session":
        return this.end((step.event as unknown as EventOf<"actor.failed">).address);
      case "connector":
        return this.hearUpdates(address, step.event);
      case "tool_call":
        return context && this.hearCall(address, state, context as ToolCallContext);
      case "delivery":
        return context && this.hearDelivery(address, state, context as DeliveryContext);
      default:
        return undefined;
    }
  }

  private hearRun(address: string, state: string, beginsRound: boolean): void {
    if (ended.has(state)) return this.end(address);
    if (working.has(state)) this.work(address);
    else this.rest(address);
    if (beginsRound) this.runs.get(idIn(address))?.run.text.beginAnew();
  }

  private work(address: string): void {
    const shown = this.runs.get(idIn(address)) ?? this.begin(address);
    if (shown === undefined) return;
    this.typing.begin(shown.place, address);
    shown.run.work();
  }

  private rest(address: string): void {
    const shown = this.runs.get(idIn(address));
    if (shown === undefined) return;
    this.typing.end(shown.place, address);
    shown.run.rest();
  }

  private end(address: string): void {
    const id = idIn(address);
    const shown = this.runs.get(id);
    if (shown === undefined) return;
    this.rest(address);
    shown.run.end();
    this.runs.delete(id);
    this.ending.set(id, shown);
    const [oldest] = this.ending.keys();
    if (this.ending.size > mostEnding && oldest !== undefined) this.ending.delete(oldest);
  }

  private begin(address: string): Shown | undefined {
    const session = sessionOfRun(address);
    if (isLocalSession(session)) return undefined;
    const spot = placeIn(keyIn(session));
    const { connector_id, conversation_scope } = spot;
    const channel = this.parts.channels(connector_id);
    if (channel === undefined) return undefined;
    const place = this.placeIn(connector_id, conversation_scope, channel);
    const told = { ...place, isPrivate: isPrivate(spot) };
    const screen = this.screenOf(idIn(address), told);
    const { clock, tried } = this.parts;
    const shown = { place, screen, run: new LiveRun({ ...told, clock, screen, tried }) };
    this.runs.set(idIn(address), shown);
    return shown;
  }

  private placeIn(connectorId: string, scope: string, { live }: Channel): TypingPlace {
    return { connectorId, scope, live, budget: this.budgetOf(connectorId) };
  }

  private budgetOf(connectorId: string): LiveBudget {
    const budget = this.budgets.get(connectorId) ?? new LiveBudget(this.parts.clock);
    this.budgets.set(connectorId, budget);
    return budget;
  }

  private screenOf(
    run_id: string,
    place: TypingPlace & { readonly isPrivate: boolean },
  ): LiveScreen {
    const { engine, clock } = this.parts;
    const { connectorId, scope, live } = place;
    return new LiveScreen({
      live,
      scope,
      isPrivate: place.isPrivate,
      draft: Number(run_id.slice(1)),
      known: async () => (await engine.read.get(previewTable, run_id))?.message_id,
      keep: (message_id) => {
        const at = clock.now();
        const row: Preview = { run_id, connector_id: connectorId, scope, message_id, at };
        return engine.write([{ table: previewTable.name, op: "put", row }]);
      },
    });
  }

  private hearCall(address: string, state: string, { call }: ToolCallContext): void {
    this.hearText(address.slice(0, address.lastIndexOf("/call/")), ({ text }) => {
      if (state === "executing") text.useTool(address, call.name);
      else text.leaveTool(address);
    });
  }

  private hearDelivery(address: string, state: string, delivery: DeliveryContext): void {
    const { kind, about, connector_id: connectorId, scope } = delivery;
    const channel = this.parts.channels(connectorId);
    if (kind !== "reply" || channel === undefined) return;
    const place = this.placeIn(connectorId, scope, channel);
    if (!delivered.has(state)) return this.typing.goOn(place, address, longestDeliveryMs);
    this.typing.end(place, address);
    const shown = this.ending.get(about ?? "");
    this.ending.delete(about ?? "");
    if (shown !== undefined && state === "delivered")
      this.parts.tried(this.settle(shown, { channel, delivery }));
  }

  private async settle(
    { run, screen }: Shown,
    { channel, delivery }: { readonly channel: Channel; readonly delivery: DeliveryContext },
  ): Promise<void> {
    await run.idle();
    const { read } = this.parts.engine;
    await settleScreen(screen, { channel, delivery, read, signal: this.closing.signal });
  }

  private hearUpdates(address: string, event: Stepped["step"]["event"]): void {
    const connectorId = idIn(address);
    const live = this.parts.channels(connectorId)?.live;
    if (event.type !== "updates.judged" || live === undefined) return;
    const eyes = { live, budget: this.budgetOf(connectorId) };
    const seen = this.seen.get(connectorId) ?? new LiveSeen(this.parts.tried);
    this.seen.set(connectorId, seen);
    seen.see(eyes, (event as unknown as EventOf<"updates.judged">).updates);
  }
}

/** Each time that the model is asked, it begins another text. */
function isNewRound({ state_before, state_after, event_type }: Stepped["step"]): boolean {
  if (state_after !== "thinking") return false;
  return state_before !== "thinking" || event_type.startsWith("xstate.");
}
