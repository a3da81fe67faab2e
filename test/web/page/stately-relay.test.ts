import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import { HiveModel } from "../../../src/web/page/hive-model.ts";
import type { StatelyMessage } from "../../../src/web/page/stately-messages.ts";
import { StatelyRelay } from "../../../src/web/page/stately-relay.ts";
import type { StreamMessage } from "../../../src/web/stream-message.ts";
import { actor, run, session, step } from "../inspected-hive.ts";

/** The page and a receiver that takes what @statelyai/inspect's own does: messages with a `type` and a `_version`. */
function relayed(origin = "https://stately.example") {
  const page = new JSDOM("", { url: "http://127.0.0.1:4141/" }).window;
  const receiver = new JSDOM("", { url: "https://stately.example/inspect" }).window;
  const got: StatelyMessage[] = [];
  receiver.addEventListener("message", ({ data }: { data: StatelyMessage }) => {
    if (typeof data.type === "string" && typeof data["_version"] === "string") got.push(data);
  });
  const frame = { contentWindow: receiver } as unknown as HTMLIFrameElement;
  const model = new HiveModel();
  let connections = 0;
  const relay = new StatelyRelay({
    window: page as unknown as Window,
    frame,
    origin,
    model,
    onConnected: () => void (connections += 1),
  });
  const hear = (message: StreamMessage) => {
    model.hear(message, 0);
    relay.hear(message);
  };
  const connect = (source: unknown = receiver, from = "https://stately.example") =>
    page.dispatchEvent(
      new page.MessageEvent("message", {
        data: { type: "@statelyai.connected" },
        origin: from,
        source: source as Window,
      }),
    );
  /** Messages are delivered in a task of their own. */
  const heard = async () => {
    await new Promise((resolve) => void setTimeout(resolve, 0));
    return got.splice(0);
  };
  return { page, relay, model, hear, connect, heard, connections: () => connections };
}

const definition = '{"id":"run"}';
const hello: StreamMessage = {
  type: "hello",
  address: "",
  hosted: "https://stately.example/inspect",
  charts: [{ name: "run", version: "3", definition }],
};
const attached: StreamMessage = { type: "attached", actors: [actor(session), actor(run)] };
const told = (...steps: ReturnType<typeof step>[]): StreamMessage => ({
  type: "news",
  actors: [],
  steps,
  dropped: 0,
});
const short = (messages: readonly StatelyMessage[]) =>
  messages.map(({ type, sessionId }) => `${type.slice(8)} ${sessionId}`);

describe("what the Stately Inspector is handed", () => {
  it("is nothing before it has said that it listens, from its own frame and origin", async () => {
    const { page, hear, connect, heard, connections } = relayed();
    for (const message of [hello, attached, told(step(run))]) hear(message);
    connect(page);
    connect(null);
    connect(undefined, "https://evil.example");
    expect([await heard(), connections()]).toEqual([[], 0]);
  });

  it("is everything, however late it listens: actors, parents first, then each step, then what follows", async () => {
    const { hear, connect, heard } = relayed();
    for (const message of [hello, attached, told(step(run))]) hear(message);
    connect();
    const messages = await heard();
    const common = {
      _version: "0.7.2",
      id: null,
      rootId: session,
      sessionId: run,
    };
    expect(messages.map((message) => ({ ...message, createdAt: "" }))).toEqual([
      {
        ...common,
        type: "@xstate.actor",
        createdAt: "",
        sessionId: session,
        name: session,
        parentId: undefined,
        definition: '{"id":"session"}',
        snapshot: { status: "active", value: "idle", context: {} },
      },
      {
        ...common,
        type: "@xstate.actor",
        createdAt: "",
        name: "run/r4",
        parentId: session,
        definition,
        snapshot: { status: "active", value: "thinking", context: { round: 1 } },
      },
      {
        ...common,
        type: "@xstate.event",
        createdAt: "",
        event: { type: "slot.granted" },
        sourceId: undefined,
      },
      {
        ...common,
        type: "@xstate.snapshot",
        createdAt: "",
        event: { type: "slot.granted" },
        snapshot: { status: "active", value: "thinking", context: { round: 1 } },
      },
    ]);
    expect(messages.at(-1)?.createdAt).toBe(String(Date.parse("2026-03-01T11:59:18.042Z")));
    const call = `${run}/call/c7-0`;
    const born = actor(call, { parent: run, name: "call/c7-0" });
    hear({
      type: "news",
      actors: [born],
      steps: [step(call, { seq: 3, source: run })],
      dropped: 0,
    });
    const more = await heard();
    expect(short(more)).toEqual([`actor ${call}`, `event ${call}`, `snapshot ${call}`]);
    expect(more[0]).toMatchObject({ parentId: run, rootId: session });
    expect(more[1]).toMatchObject({ sourceId: run });
  });

  it("begins anew each time that the frame is loaded, and after steps were missed", async () => {
    const { hear, connect, heard } = relayed();
    for (const message of [hello, attached]) hear(message);
    connect();
    connect();
    expect(short(await heard())).toEqual([
      `actor ${session}`,
      `actor ${run}`,
      `actor ${session}`,
      `actor ${run}`,
    ]);
    const present = actor(run, {
      seq: 90,
      snapshot: { status: "active", value: "done", context: {} },
    });
    hear({
      type: "news",
      actors: [actor(session), present],
      steps: [step(run, { seq: 91 })],
      dropped: 40,
    });
    expect(short(await heard())).toEqual([
      `actor ${session}`,
      `actor ${run}`,
      `event ${run}`,
      `snapshot ${run}`,
    ]);
  });

  it("calls an actor that was set aside failed, since XState knows no other word", async () => {
    const { hear, connect, heard } = relayed();
    const snapshot = { status: "quarantined", value: "idle", context: {} } as const;
    hear({ type: "attached", actors: [actor(run, { snapshot })] });
    connect();
    expect(await heard()).toMatchObject([
      { snapshot: { status: "error" }, parentId: undefined, rootId: run },
    ]);
  });

  it("is nothing more after its frame was closed, and nothing where another page is in the frame", async () => {
    const { relay, hear, connect, heard } = relayed();
    hear(attached);
    connect();
    await heard();
    relay.end();
    hear(told(step(run)));
    connect();
    expect(await heard()).toEqual([]);
    const moved = relayed("https://elsewhere.example");
    moved.hear(attached);
    moved.connect(undefined, "https://elsewhere.example");
    expect(await moved.heard()).toEqual([]);
  });
});
