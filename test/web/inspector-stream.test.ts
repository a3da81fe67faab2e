import { describe, expect, it } from "vitest";
import { type Connection, connect } from "../../src/client/connection.ts";
import type { StreamMessage } from "../../src/web/stream-message.ts";
import { actor, inspectedHive, messagesOf, run, session, step } from "./inspected-hive.ts";

/** A connection that is counted, and whether its reading was held. */
function countedLinks() {
  const opened: Connection[] = [];
  let paused = 0;
  const open = async (socketPath: string): Promise<Connection> => {
    const connection = await connect({ socketPath });
    opened.push(connection);
    const { call, on, ended, close, resume, service } = connection;
    const pause = () => {
      paused += 1;
      connection.pause();
    };
    return { call, on, ended, close, resume, service, pause };
  };
  return { opened, open, paused: () => paused };
}

async function linkedHive() {
  const links = countedLinks();
  const place = { socketPath: "" };
  const hive = await inspectedHive({ connect: () => links.open(place.socketPath) });
  place.socketPath = `${hive.service.home}/run/statehive.sock`;
  return { ...hive, links };
}

async function next(messages: AsyncGenerator<StreamMessage>): Promise<StreamMessage> {
  const { value } = (await messages.next()) as { readonly value: StreamMessage };
  return value;
}

const news = (more: object = {}) => ({ actors: [], steps: [], dropped: 0, ...more });

describe("the stream", () => {
  it("asks the service for nothing until a page listens, and lets go of it with the page", async () => {
    const { service, links, open } = await linkedHive();
    expect([links.opened.length, service.requests.length]).toEqual([0, 0]);
    const page = new AbortController();
    const messages = messagesOf(await open(undefined, page.signal));
    expect((await next(messages)).type).toBe("hello");
    expect((await next(messages)).type).toBe("attached");
    expect(service.requests).toEqual([{ method: "actors.inspect", params: { address: "" } }]);
    page.abort();
    await links.opened[0]?.ended;
    expect(links.opened.length).toBe(1);
  });

  it("begins with the charts and all actors, then tells what happens", async () => {
    const { service, open } = await inspectedHive({ address: session });
    const messages = messagesOf(await open());
    expect(await next(messages)).toMatchObject({
      type: "hello",
      address: session,
      hosted: "https://stately.example/inspect",
      charts: [{ name: "run", version: "3" }],
    });
    expect(await next(messages)).toEqual({
      type: "attached",
      actors: [actor(session), actor(run)],
    });
    expect(service.requests[0]?.params).toEqual({ address: session });
    service.notify("actors.inspected", news({ steps: [step(run)] }));
    expect(await next(messages)).toEqual({ type: "news", ...news({ steps: [step(run)] }) });
    await messages.return(undefined);
  });

  it("says when the service has gone, and begins anew when it is back", async () => {
    const { service, open } = await inspectedHive();
    const messages = messagesOf(await open());
    await next(messages);
    await next(messages);
    service.hangUp();
    expect(await next(messages)).toEqual({
      type: "detached",
      reason: "The service has gone away.",
    });
    expect((await next(messages)).type).toBe("attached");
    await messages.return(undefined);
  });

  it("reads no more from the service than the page takes, and loses nothing of it", async () => {
    const { service, links, open } = await linkedHive();
    const messages = messagesOf(await open());
    await next(messages);
    await next(messages);
    const text = "x".repeat(100_000);
    const sent = 150;
    for (let seq = 0; seq < sent; seq += 1) {
      const event = { type: "message.received", text };
      service.notify("actors.inspected", news({ steps: [step(run, { seq, event })] }));
    }
    const seqs: number[] = [];
    while (seqs.length < sent) {
      const message = await next(messages);
      if (message.type === "news") seqs.push(...message.steps.map(({ seq }) => seq));
    }
    expect(seqs).toEqual(Array.from({ length: sent }, (_, seq) => seq));
    expect(links.paused()).toBeGreaterThan(0);
    await messages.return(undefined);
  });

  it("is for eight pages at most", async () => {
    const { open } = await inspectedHive();
    const pages = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await open()).status).toBe(503);
    for (const { body } of pages) await body?.cancel();
  });
});
