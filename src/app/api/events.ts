import { setImmediate } from "node:timers/promises";
import type { SidecarEvent } from "../../schema/shown/news.ts";
import type { ParsedParams } from "../../schema/socket/protocol.ts";
import type { EventStream } from "../news/event-stream.ts";
import { hasAll } from "../filter.ts";
import { isSidecarEvent, type News, type NewsBus } from "../news/news.ts";
import type { Caller, Handlers } from "./caller.ts";
import { onlyNewest } from "./only-newest.ts";

type Wanted = ParsedParams<"events.subscribe">;

/** Events that may wait for a client that reads slowly; it is told how many more there were. */
const watchedEvents = 1_000;

/** What happens, for those who watch. After a turn of the event loop all that was published is among the newest: what follows
 *  neither misses nor repeats one. */
export function eventHandlers(bus: NewsBus, stream: EventStream): Handlers<"events.subscribe"> {
  const followOnly = onlyNewest();
  return {
    "events.subscribe": async (wanted, caller) => {
      await setImmediate();
      if (wanted.follow) followOnly(caller, follow(bus, wanted, caller));
      return { events: stream.newest(wanted.limit, (event) => matches(event, wanted)) };
    },
  };
}

/** @returns ends it */
function follow(bus: NewsBus, wanted: Wanted, caller: Caller): () => void {
  const tell = (events: readonly SidecarEvent[], dropped: number) => {
    caller.notify("events.delta", { events, dropped });
    return caller.drained();
  };
  return bus.subscribe({
    name: "events",
    capacity: watchedEvents,
    wants: (news) => matches(news, wanted),
    hear: (news) => (isSidecarEvent(news) ? tell([news], 0) : undefined),
    lagged: (dropped) => tell([], dropped),
  });
}

function matches(news: News, { type, trace, run, session, agent }: Wanted): boolean {
  if (!isSidecarEvent(news)) return false;
  return hasAll([
    [type, news.type],
    [trace, news.trace_id],
    [run, news.run_id],
    [session, news.session_id],
    [agent, news.agent_id],
  ]);
}
