import type { Clock } from "../../ports/clock.ts";
import { LogTail } from "../logs/log-tail.ts";
import type { Caller, Handlers } from "./caller.ts";
import { onlyNewest } from "./only-newest.ts";

export type LogOptions = { readonly path: string; readonly clock: Clock };

const lookAgainMs = 250;

/** The service's own log. What a client has not read yet waits in the files, not in memory. */
export function logHandlers({ path, clock }: LogOptions): Handlers<"logs.tail"> {
  const followOnly = onlyNewest();
  return {
    "logs.tail": async ({ limit, follow, ...filter }, caller) => {
      const tail = new LogTail({ path, filter });
      const records = tail.newest(limit);
      if (follow) followOnly(caller, tellOn(tail, caller, clock));
      else tail.close();
      return { records };
    },
  };
}

/** @returns ends it */
function tellOn(tail: LogTail, caller: Caller, clock: Clock): () => void {
  let isOver = false;
  let cancel = clock.after(lookAgainMs, look);
  return () => {
    isOver = true;
    cancel();
    tail.close();
  };
  function look(): void {
    const { records, isTorn, hasMore } = tail.next();
    if (records.length > 0 || isTorn) caller.notify("logs.delta", { records, is_torn: isTorn });
    void lookAgain(hasMore ? 0 : lookAgainMs);
  }
  async function lookAgain(afterMs: number): Promise<void> {
    await caller.drained();
    if (!isOver) cancel = clock.after(afterMs, look);
  }
}
