import { join } from "node:path";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { News, NewsBus } from "../news/news.ts";
import { SessionMirror } from "./session-mirror.ts";

export type MirroringOptions = {
  readonly home: string;
  readonly engine: Engine;
  readonly bus: NewsBus;
  readonly clock: Clock;
  readonly log: Log;
};

const capacity = 1_000;

/** Keeps `<home>/sessions` in step with what is said. @returns ends it, with what was said until then written */
export function mirrorSessions({
  home,
  engine,
  bus,
  ...own
}: MirroringOptions): () => Promise<void> {
  const directory = join(home, "sessions");
  const mirror = new SessionMirror({ directory, read: engine.read, ...own });
  const leave = bus.subscribe({
    name: "sessions",
    capacity,
    wants: mayHaveSaid,
    hear: () => mirror.wake(),
  });
  mirror.wake();
  return async () => {
    leave();
    await mirror.close();
  };
}

const speakers: ReadonlySet<string> = new Set(["session", "run", "tool_call"]);

function mayHaveSaid(news: News): boolean {
  return news.type === "actor.stepped" && speakers.has(news.step.machine);
}
