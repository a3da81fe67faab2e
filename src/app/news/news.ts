import { type Bus, createBus } from "../../bus/bus.ts";
import { mergeText } from "../../bus/merge-text.ts";
import type { Engine, Notice } from "../../engine/engine.ts";
import type { ActorRow, JournalRow } from "../../engine/tables.ts";
import type { ErrorData } from "../../schema/errors.ts";
import { type SidecarEvent, sidecarEventTypes, type TextPiece } from "../../schema/shown/news.ts";
import type { ChatEvent } from "../../schema/socket/protocol.ts";
import type { JoinedMessage } from "../../schema/rows/session-rows.ts";
import { sidecarEventsOf } from "./sidecar-event.ts";

/** Everything that is told beside the main path. */

/** A committed step: what came, and the actor after it. */
export type Stepped = {
  readonly type: "actor.stepped";
  readonly trace_id: string;
  readonly address: string;
  readonly step: JournalRow;
  readonly actor: ActorRow | undefined;
};
/** The answer begins again; or the conversation was cut, so that it fits the model. */
export type TextMark = {
  readonly type: "text.reset" | "history.shortened";
  readonly trace_id: string;
  readonly address: string;
};
export type ModelRetrying = {
  readonly type: "model.retrying";
  readonly trace_id: string;
  readonly address: string;
  readonly code: string;
  readonly wait_ms: number;
};
/** The database can not be written, and why; or, with null, it can be written again. */
export type EngineHealthChanged = {
  readonly type: "engine.health";
  readonly degraded: ErrorData | null;
};

/** Memories are without vectors for long, and why; or, with null, they have them again. */
export type EmbedderHealthChanged = {
  readonly type: "memory.embedder";
  readonly trouble: string | null;
};

/** What the watch of a chat says to itself, to be heard in its turn. */
export type ChatWord = {
  readonly type: "chat.word";
  readonly to: object;
  readonly say: ChatEvent | JoinedMessage | Mark;
};
/** Called when all that was before it is heard. */
export type Mark = { readonly reached: () => void };

export type News =
  | Stepped
  | SidecarEvent
  | TextPiece
  | TextMark
  | ModelRetrying
  | EngineHealthChanged
  | EmbedderHealthChanged
  | ChatWord;

export type NewsBus = Bus<News>;

const sidecarTypes: ReadonlySet<string> = new Set(sidecarEventTypes);

export function isSidecarEvent(news: News): news is SidecarEvent {
  return sidecarTypes.has(news.type);
}

/** The bus, fed by what the engine has committed and by what its activities say meanwhile. */
export function createNewsBus(engine: Engine): NewsBus {
  const bus: NewsBus = createBus<News>({ kindOf: ({ type }) => type, merge: mergeText });
  engine.onStep((step, actor) => {
    bus.publish({
      type: "actor.stepped",
      trace_id: step.trace,
      address: step.address,
      step,
      actor,
    });
    for (const event of sidecarEventsOf(step, actor)) bus.publish(event);
  });
  engine.onNotice((notice) => {
    const news = newsOf(notice);
    if (news !== undefined) bus.publish(news);
  });
  engine.onHealth((degraded) => bus.publish({ type: "engine.health", degraded }));
  return bus;
}

function newsOf({ notice, trace, address, activity, attempt }: Notice): News | undefined {
  const known = { trace_id: trace, address };
  switch (notice["type"]) {
    case "text.delta": {
      const source = `${activity}#${attempt}`;
      return { type: "text.delta", ...known, source, text: notice["text"] as string };
    }
    case "text.reset":
    case "history.shortened":
      return { type: notice["type"], ...known };
    case "activity.retrying":
      return {
        type: "model.retrying",
        ...known,
        code: notice["code"] as string,
        wait_ms: notice["wait_ms"] as number,
      };
    default:
      return undefined;
  }
}
