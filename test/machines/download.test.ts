import { describe, expect, it } from "vitest";
import { downloadMachine } from "../../src/machines/download/download.machine.ts";
import type {
  DownloadContext,
  WaitingMessage,
} from "../../src/schema/contexts/download-context.ts";
import type { EventData } from "../../src/schema/events/event.ts";
import type { Attachment } from "../../src/schema/inbound.ts";
import { forgotten, type Laws, rowsOf, type Walk, walk, withChart } from "./kernel-walk.ts";

/** Everything that can happen to a person's files on their way: messages with and without files, albums in parts. */

type Ledger = { readonly brought: readonly string[]; readonly handed: readonly string[] };

const place = {
  channel_type: "telegram",
  connector_id: "tg",
  conversation_scope: "1001",
  user_scope: "1001",
  trace_id: "t1",
  agent_id: "main",
};

const attachments: Attachment[] = [
  { kind: "photo", file_id: "f", name: null, media_type: null, bytes: null },
];

type Bringing = { readonly text?: string; readonly hasFile?: boolean; readonly album?: string };

const bring = (message_id: string, { text = "", hasFile = false, album }: Bringing): EventData => ({
  type: "message.brought",
  place,
  conversation: "private",
  message: {
    kind: "message",
    message_id,
    text,
    command: null,
    is_addressed: true,
    is_forwarded: false,
    attachments: hasFile ? attachments : [],
    album_id: album ?? null,
    reply_to: null,
    quoted: null,
  },
});

const messages = (number: number): readonly EventData[] => [
  bring(`${number} said`, { text: "hello" }),
  bring(`${number} file`, { hasFile: true }),
  bring(`${number} of a`, { hasFile: true, album: "a" }),
];

const idsOf = ({ messages: waiting }: Pick<DownloadContext, "messages">) =>
  waiting.map(({ said }) => said.message_id);

const contextOf = (context: unknown) => context as DownloadContext;

const handedIn = (effects: readonly { readonly kind: string }[]): readonly WaitingMessage[] =>
  effects.flatMap((effect) =>
    effect.kind === "lookup"
      ? [(effect as unknown as { args: { message: WaitingMessage } }).args.message]
      : [],
  );

/** Of those that came, what waits or was handed on: parts of an album stand for the first of them. */
const laws: Laws<Ledger> = {
  "what came waits or was handed on, once, in the order in which it came": ({ ledger, context }) =>
    [...ledger.handed, ...idsOf(contextOf(context))].join() === ledger.brought.join(),
  "nothing is handed on before there is all of it": ({ effects }) =>
    handedIn(effects).every(
      ({ is_open, files }) => !is_open && files.every(({ state }) => state !== "awaited"),
    ),
  "it ends when nothing waits any more, and not before": ({ isFinal, context, ledger }) =>
    isFinal === (contextOf(context).messages.length === 0 && ledger.brought.length > 0),
  "it failed only when nothing was for the agent": ({ state, context }) =>
    (state === "failed") ===
    (contextOf(context).handed === 0 &&
      contextOf(context).taken > 0 &&
      contextOf(context).messages.length === 0),
  "who waits for files is known from the beginning": ({ before, effects }) =>
    (before === undefined) === (rowsOf(effects, "open_fetches").length === 1),
  "one file is fetched at a time, of the first message": ({ state, actor, context }) =>
    (state === "fetching") ===
      (Object.values(actor.activities).filter(({ stopping }) => !stopping).length === 1) &&
    (state !== "fetching" || contextOf(context).messages[0]?.is_open === false),
  "where an album waits for its rest, its time is running": ({ state, actor }) =>
    state !== "gathering" || Object.keys(actor.timers).length === 1,
};

const plan: Walk<Ledger> = {
  machine: downloadMachine,
  input: { download_id: "f1", connector_id: "tg", scope: "1001", user_scope: "1001" },
  ledger: { brought: [], handed: [] },
  moves: ({ actor }) => {
    const { taken } = actor.snapshot.context as DownloadContext;
    return [
      ...(taken < 2 ? messages(taken) : messages(taken).slice(taken)),
      ...(taken > 0 ? [{ type: "download.cancel", by: "cli" }] : []),
      ...(taken > 0 ? [{ type: "download.cancel", by: "connector" }] : []),
    ];
  },
  originOf: ({ by }) => (by === "cli" ? "cli" : "actor"),
  settlements: {
    fetchFile: {
      settled: [
        { output: { bytes: 3, media_type: "image/jpeg" } },
        { error: { code: "channel.refused", message: "It is gone.", retryable: false } },
      ],
      stopped: [{ ended: "aborted" }],
    },
  },
  count: ({ event, before, effects, isAccepted }, { brought, handed }) => ({
    brought:
      isAccepted && isNew(event, before?.actor.snapshot.context)
        ? [...brought, idOf(event)]
        : brought,
    handed: [...handed, ...handedIn(effects).map(({ said }) => said.message_id)],
  }),
  key: ({ messages: waiting, taken, handed }: DownloadContext) => [
    waiting.map(({ said, is_open, files }) => [
      said.message_id,
      is_open,
      files.map(({ state }) => state),
    ]),
    taken,
    handed > 0,
  ],
  laws,
};

const idOf = (event: EventData) => (event["message"] as { message_id: string }).message_id;

/** A further part of an album that waits is no message of its own. */
function isNew(event: EventData, context: unknown): boolean {
  if (event.type !== "message.brought") return false;
  const { album_id } = event["message"] as { album_id: string | null };
  const { messages: waiting } = contextOf(context);
  return album_id === null || waiting.every(({ said }) => said.album_id !== album_id);
}

const walked = walk(plan);

it("reaches every state and takes every transition", () => {
  expect(walked.unreached).toEqual([]);
  expect(walked.untaken).toEqual([]);
});

it("keeps every law on every path", () => {
  expect(walked.breaches).toEqual({});
});

describe("a planted fault breaks the law it offends:", () => {
  const broken = (machine: Walk<Ledger>["machine"]) =>
    Object.keys(walk({ ...plan, machine }).breaches);

  it("a message that is forgotten without being handed on", () => {
    expect(broken(downloadMachine.provide({ actions: { handReady: forgotten } }))).toContain(
      "what came waits or was handed on, once, in the order in which it came",
    );
  });

  it("a person who is not known to wait", () => {
    expect(broken(downloadMachine.provide({ actions: { openFetch: forgotten } }))).toContain(
      "who waits for files is known from the beginning",
    );
  });

  it("an album whose time does not begin anew", () => {
    const machine = withChart(downloadMachine, "states.gathering.after.albumPause", {
      actions: ["closeAlbum", "handReady", "forgetReady"],
    });
    expect(broken(machine)).toContain("where an album waits for its rest, its time is running");
  });
});
