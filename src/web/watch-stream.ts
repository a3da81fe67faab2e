import type { Writable } from "node:stream";
import type { Connection } from "../client/connection.ts";
import type { StreamMessage } from "./stream-message.ts";

export type WatchOptions = {
  readonly address: string;
  connect(): Promise<Connection>;
};

const retryMs = { first: 250, longest: 4_000 } as const;

/** Tells one page what the actors do, until it is closed: the service is asked for nothing before or after. A page that reads slowly
 *  lets the service's own bounded queue wait, not one of ours; a service that goes away is awaited. */
export async function watchFor(page: Writable, options: WatchOptions): Promise<void> {
  const closed = new Promise<void>((resolve) => page.once("close", resolve));
  let waitMs: number = retryMs.first;
  while (!page.destroyed) {
    const ending = await attach(page, closed, options);
    if (page.destroyed) return;
    tell(page, { type: "detached", reason: ending.reason });
    waitMs = ending.wasAttached ? retryMs.first : Math.min(waitMs * 2, retryMs.longest);
    await Promise.race([delay(waitMs), closed]);
  }
}

type Ending = { readonly wasAttached: boolean; readonly reason: string };

async function attach(
  page: Writable,
  closed: Promise<void>,
  { connect, address }: WatchOptions,
): Promise<Ending> {
  let connection: Connection | undefined;
  let wasAttached = false;
  try {
    connection = await connect();
    const { pause, resume } = connection;
    const early: StreamMessage[] = [];
    const say = (message: StreamMessage) => {
      if (tell(page, message)) return;
      pause();
      page.once("drain", resume);
    };
    connection.on("actors.inspected", (news) => {
      const message = { type: "news", ...news } as const;
      if (wasAttached) say(message);
      else early.push(message);
    });
    const { actors } = await connection.call("actors.inspect", { address });
    wasAttached = true;
    for (const message of [{ type: "attached", actors } as const, ...early]) say(message);
    await Promise.race([connection.ended, closed]);
    return { wasAttached, reason: "The service has gone away." };
  } catch (error) {
    return { wasAttached, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    connection?.close();
  }
}

/** @returns whether more can be written at once */
export function tell(page: Writable, message: StreamMessage): boolean {
  return page.write(`${JSON.stringify(message)}\n`);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
