import type { Caller } from "../../src/app/api/caller.ts";
import { actorHandlers } from "../../src/app/api/actors.ts";
import { auditPokes } from "../../src/app/api/poke-audit.ts";
import type { NewsBus } from "../../src/app/news/news.ts";
import type { Notifications, ParamsOf } from "../../src/schema/socket/protocol.ts";
import { methodParams } from "../../src/schema/socket/protocol.ts";
import type { TestHive } from "./hive.ts";

type Delta = Notifications["actors.delta"];

/** A client that watches actors, and reads what it is told unless it is paused. */
export type WatchingClient = {
  readonly deltas: readonly Delta[];
  readonly caller: Caller;
  /** From now on nothing that it is told is read; it is told one more before that is known. */
  pause(): void;
  resume(): void;
  leave(): void;
};

export function watchingClient(): WatchingClient {
  const deltas: Delta[] = [];
  const endings = new Set<() => void>();
  let reading = Promise.resolve();
  let resume = () => {};
  const caller: Caller = {
    origin: "tui",
    name: "tui",
    introduce: () => {},
    notify: (method, params) => void (method === "actors.delta" && deltas.push(params as Delta)),
    drained: () => reading,
    onEnd: (call) => {
      endings.add(call);
      return () => void endings.delete(call);
    },
  };
  return {
    deltas,
    caller,
    pause: () => {
      reading = new Promise((resolve) => {
        resume = resolve;
      });
    },
    resume: () => resume(),
    leave: () => endings.forEach((end) => end()),
  };
}

export function subscribing(hive: TestHive, bus: NewsBus) {
  const { engine, clock } = hive;
  const pokes = auditPokes({ engine, clock, redact: (value) => value });
  const handlers = actorHandlers({ engine, bus, clock, pokes });
  return (client: WatchingClient, params: ParamsOf<"actors.subscribe"> = {}) =>
    handlers["actors.subscribe"](methodParams["actors.subscribe"].parse(params), client.caller);
}
